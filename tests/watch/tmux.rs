//! A shell in a terminal of its own, with tmux between us and it.

use std::{
    env,
    process::{self, Command},
    thread,
    time::{Duration, Instant},
};

/// A server of its own, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Tmux {
    server: String,
}

impl Tmux {
    /// A shell with a prompt and a line on the screen, or nothing where there is no tmux.
    pub(crate) fn start(name: &str) -> Option<Tmux> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(env::var_os("REQUIRE_TMUX").is_none(), "tmux is not installed");
            eprintln!("skipped: tmux is not installed");
            return None;
        }
        let tmux = Tmux { server: format!("csp-{}-{name}", process::id()) };
        tmux.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "sh"]);
        // Split, so that what is waited for is the output and not the line that was typed.
        tmux.run("PS1='$ '; clear; echo the screen be''fore");
        tmux.until("a shell", |screen| screen.contains("the screen before"));
        Some(tmux)
    }

    /// Runs `nqueens watch 6` until it shows its first step.
    pub(crate) fn start_watching(&self) {
        // The process is known to the server, to be sent signals.
        let program = env!("CARGO_BIN_EXE_nqueens");
        self.run(&format!("sh -c 'tmux set -g @watching $$; exec \"$0\" watch 6' '{program}'"));
        self.until("the view", |screen| screen.contains("step 1 of") && screen.contains("Search tree"));
        assert!(!self.screen().contains("the screen before"));
    }

    /// Types a line.
    pub(crate) fn run(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.keys(&["Enter"]);
    }

    /// Presses keys, by tmux's names.
    pub(crate) fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    pub(crate) fn resize(&self, columns: u16, lines: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &lines.to_string()]);
    }

    /// The program's process.
    pub(crate) fn watching(&self) -> String {
        self.tmux(&["show", "-gv", "@watching"]).trim().to_owned()
    }

    /// Closes the terminal, as by the button of its window.
    pub(crate) fn close(&self) {
        self.tmux(&["kill-server"]);
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, name: &str) {
        let process = self.watching();
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status().unwrap();
        assert!(sent.success(), "no program to send {name} to: {process}");
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{what} did not come:\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// The shell has its screen back, shows what is typed and its cursor, and was told this exit code.
    pub(crate) fn assert_restored(&self, code: u8) {
        // Typed while nothing runs, so that it is shown only if the terminal echoes it again.
        self.until("the prompt", |screen| screen.trim_end().ends_with('$'));
        self.tmux(&["send-keys", "-l", "echo code $?, all ri''ght"]);
        self.until("an echo", |screen| screen.contains("$ echo code $?, all ri''ght"));
        self.keys(&["Enter"]);
        let answer = format!("code {code}, all right");
        self.until("the answer", |screen| screen.lines().any(|line| line.trim_end() == answer));
        assert!(self.screen().contains("the screen before"), "{}", self.screen());
        assert_eq!(self.flags(), "0 1", "whether the other screen is on, and the cursor");
        self.run("stty -a | tr -s ' ;' '\\n' | grep -x -e icanon -e echo -e isig | sort | tr '\\n' ' '");
        self.until("the line discipline", |screen| screen.contains("echo icanon isig"));
    }

    /// Whether the other screen is on, and the cursor.
    pub(crate) fn flags(&self) -> String {
        self.tmux(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).trim().to_owned()
    }

    pub(crate) fn shows_a_cursor(&self) -> bool {
        self.flags().ends_with('1')
    }

    /// Whether anything on the screen has a colour of its own.
    pub(crate) fn has_colour(&self) -> bool {
        let screen = self.tmux(&["capture-pane", "-p", "-e"]);
        let sequences = screen.split("\u{1b}[").skip(1).filter_map(|rest| rest.split_once('m'));
        let mut codes =
            sequences.flat_map(|(codes, _)| codes.split(';')).filter_map(|code| code.parse().ok());
        codes.any(|code: u8| matches!(code, 30..=38 | 40..=48 | 90..=97 | 100..=107))
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.server]).args(arguments).output().unwrap();
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.server, "kill-server"]).output();
    }
}
