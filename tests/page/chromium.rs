//! A headless Chromium, spoken to in the DevTools protocol over two pipes: messages are JSON, each ended by
//! a zero byte. <https://chromedevtools.github.io/devtools-protocol/>

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// So long an answer may take before the browser counts as hung.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    profile: PathBuf,
    next: u64,
    session: String,
    /// What the page did that it must not: errors, words on the console, requests.
    complaints: Vec<String>,
    loaded: bool,
}

/// The browser's program, if there is one; a failure if there is none and `REQUIRE_BROWSER` is set.
fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file());
    if found.is_none() {
        assert!(
            std::env::var_os("REQUIRE_BROWSER").is_none(),
            "REQUIRE_BROWSER is set and there is no chromium"
        );
        eprintln!("SKIPPED: there is no chromium on the path (set REQUIRE_BROWSER to make that a failure)");
    }
    found
}

impl Browser {
    /// Starts a browser with one empty page, or says that there is none.
    pub(crate) fn start(name: &str) -> Option<Browser> {
        let program = program()?;
        let profile = scratch(&format!("profile-{name}-{}", std::process::id()));
        // The browser reads from descriptor 3 and writes to 4; a shell can move ours there.
        let mut process = Command::new("sh")
            .arg("-c")
            .arg(r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"#)
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            // Repainting parts of a tile rounds differently from painting it whole; pictures are compared.
            .arg("--disable-partial-raster")
            .args(["--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = process.stdin.take().expect("piped");
        let answers = process.stdout.take().expect("piped");
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the browser speaks JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            process,
            to,
            from,
            profile,
            next: 0,
            session: String::new(),
            complaints: vec![],
            loaded: false,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().expect("a session").into();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(1280, 800);
        Some(browser)
    }

    /// Calls a method of the protocol and waits for its result.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        write!(self.to, "{message}\0").and_then(|()| self.to.flush()).expect("the browser listens");
        loop {
            let answer = self.receive();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let message = self.from.recv_timeout(PATIENCE).expect("the browser answers");
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some(method @ ("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded")) => {
                self.complaints.push(format!("{method}: {parameters}"));
            }
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:") || parameters["type"] != "Document" {
                    self.complaints.push(format!("a request for {url:.100}"));
                }
            }
            Some("Page.javascriptDialogOpening") => self.complaints.push("a dialog was opened".into()),
            _ => {}
        }
        message
    }

    /// Opens a page from a file.
    pub(crate) fn open(&mut self, file: &Path) {
        self.loaded = false;
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.loaded {
            self.receive();
        }
    }

    /// The value of an expression on the page.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Presses a key, given as the page sees it, with Shift or without.
    pub(crate) fn press(&mut self, key: &str, shift: bool) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            _ => key.chars().next().map_or(0, |letter| letter.to_ascii_uppercase() as u32),
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if shift {
            event["modifiers"] = json!(8);
        }
        match key {
            "Enter" => event["text"] = json!("\r"),
            _ if key.chars().count() == 1 => event["text"] = json!(key),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Clicks into the middle of an element, as a mouse does: scrolls it into view first, and fails if
    /// something else is there.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); if (!e) return null; \
             e.scrollIntoView({{block: 'center', inline: 'center'}}); const r = e.getBoundingClientRect(); \
             const x = r.x + r.width / 2, y = r.y + r.height / 2, hit = document.elementFromPoint(x, y); \
             return {{x, y, hit: !!hit && (e.contains(hit) || hit.contains(e))}}; }})()"
        ));
        assert_eq!(place["hit"], true, "{selector} can be clicked");
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Asks for light or dark colours.
    pub(crate) fn colours(&mut self, scheme: &str) {
        let feature = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", feature);
    }

    /// A picture of the window, as PNG in base 64.
    pub(crate) fn picture(&mut self) -> String {
        // Where the mouse rests shows.
        self.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": 0, "y": 0}));
        self.call("Page.captureScreenshot", json!({}))["data"].as_str().expect("a picture").into()
    }

    /// Fails if the page did what it must not.
    pub(crate) fn assert_quiet(&self) {
        assert!(self.complaints.is_empty(), "{:#?}", self.complaints);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        let _ = write!(self.to, "{}\0", json!({"id": 0, "method": "Browser.close"}))
            .and_then(|()| self.to.flush());
        // It closes its end when it is done, or hangs and is ended.
        while self.from.recv_timeout(Duration::from_secs(10)).is_ok() {}
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// A place for files of these tests, below the target folder.
pub(crate) fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
