//! A profiler that believes nothing: it reads a stream byte by byte, and rebuilds the tree that is told. It knows the protocol
//! from its description and has nothing in common with what sends it.

#![allow(dead_code)] // Few of the tests use all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

/// Number, run between restarts, thread.
pub(crate) type Id = [i32; 3];

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) id: Id,
    pub(crate) parent: Option<Id>,
    pub(crate) status: u8,
    pub(crate) children: Vec<Option<Id>>,
    pub(crate) label: String,
    pub(crate) info: serde_json::Value,
}

/// What was shown.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) execution_id: i64,
    pub(crate) has_restarts: bool,
    pub(crate) restarts: u64,
    pub(crate) nodes: BTreeMap<Id, Node>,
    /// In the order in which they came.
    pub(crate) order: Vec<Id>,
    pub(crate) is_done: bool,
}

impl Tree {
    fn count(&self, status: u8) -> u64 {
        self.nodes.values().filter(|node| node.status == status).count() as u64
    }

    pub(crate) fn solved(&self) -> u64 {
        self.count(0)
    }

    pub(crate) fn failed(&self) -> u64 {
        self.count(1)
    }

    pub(crate) fn branches(&self) -> u64 {
        self.count(2)
    }

    pub(crate) fn skipped(&self) -> u64 {
        self.count(3)
    }

    /// Children that never came.
    pub(crate) fn open(&self) -> usize {
        self.nodes.values().flat_map(|node| &node.children).filter(|child| child.is_none()).count()
    }

    /// Solved, failed and other nodes as the statistics have them.
    pub(crate) fn figures(&self) -> [u64; 3] {
        [self.solved(), self.failed(), self.branches()]
    }

    /// Takes in a message.
    fn take(&mut self, payload: &[u8]) -> Result<(), String> {
        let mut bytes = Bytes(payload);
        if self.is_done {
            return Err("a message after the end".into());
        }
        let kind = bytes.byte()?;
        if (kind == 2) != self.name.is_empty() {
            return Err("a start that is not the first message, or another message before it".into());
        }
        match kind {
            0 => self.take_node(&mut bytes)?,
            1 => self.is_done = true,
            2 => {
                let fields = bytes.fields(&[3, 2])?;
                if fields.get(&3).map(|version| &**version) != Some(&[0, 0, 0, 3]) {
                    return Err("not version 3".into());
                }
                let info = object(fields.get(&2), &["execution_id", "has_restarts", "name"])?;
                self.name = info["name"].as_str().ok_or("no name")?.into();
                self.has_restarts = info["has_restarts"].as_bool().ok_or("no word of restarts")?;
                self.execution_id = info["execution_id"].as_i64().ok_or("no number")?;
            }
            3 => {
                let info = object(bytes.fields(&[2])?.get(&2), &["restart_id"])?;
                self.restarts += 1;
                if info["restart_id"].as_u64() != Some(self.restarts) {
                    return Err("the restarts are not in order".into());
                }
            }
            kind => return Err(format!("a message {kind}")),
        }
        if !bytes.0.is_empty() {
            return Err(format!("more bytes than a message {kind} has: {:?}", bytes.0));
        }
        Ok(())
    }

    fn take_node(&mut self, bytes: &mut Bytes<'_>) -> Result<(), String> {
        let (id, parent) = (bytes.id()?, bytes.id()?);
        let (alternative, children) = (bytes.integer()?, bytes.integer()?);
        let status = bytes.byte()?;
        if status > 3 {
            return Err(format!("a status {status}"));
        }
        let fields = bytes.fields(&[0, 1, 2])?;
        let parent = (parent != [-1; 3]).then_some(parent);
        match parent {
            None => {
                let roots = self.nodes.values().filter(|node| node.parent.is_none()).count() as u64;
                // The profiler would take a second one for the first, unless it was told that there will be some.
                if alternative != -1 || roots != self.restarts || roots > 0 && !self.has_restarts {
                    return Err(format!("root {id:?} is unexpected"));
                }
            }
            Some(parent) => {
                let parent = self.nodes.get_mut(&parent).ok_or(format!("the parent of {id:?} is unknown"))?;
                let place = usize::try_from(alternative).map_err(|error| error.to_string())?;
                let place =
                    parent.children.get_mut(place).ok_or(format!("{id:?} is beyond the last child"))?;
                if place.replace(id).is_some() {
                    return Err(format!("{id:?} has the place of another"));
                }
            }
        }
        let label = fields.get(&0).map_or(Ok(""), |label| str::from_utf8(label));
        let info = fields.get(&2).map_or(Ok(serde_json::Value::Null), |info| serde_json::from_slice(info));
        let node = Node {
            id,
            parent,
            status,
            children: vec![None; usize::try_from(children).map_err(|error| error.to_string())?],
            label: label.map_err(|error| error.to_string())?.into(),
            info: info.map_err(|error| error.to_string())?,
        };
        self.order.push(id);
        match self.nodes.insert(id, node) {
            None => Ok(()),
            Some(_) => Err(format!("{id:?} comes twice")),
        }
    }
}

/// What is left of a message.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn some(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (some, rest) = self.0.split_at_checked(count).ok_or("a message ends too early")?;
        self.0 = rest;
        Ok(some)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.some(1)?[0])
    }

    fn integer(&mut self) -> Result<i32, String> {
        let bytes = self.some(4)?;
        Ok(i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn id(&mut self) -> Result<Id, String> {
        Ok([self.integer()?, self.integer()?, self.integer()?])
    }

    /// The rest as fields, each of them allowed and there once at most.
    fn fields(&mut self, allowed: &[u8]) -> Result<BTreeMap<u8, Vec<u8>>, String> {
        let mut fields = BTreeMap::new();
        while !self.0.is_empty() {
            let field = self.byte()?;
            let length = if field == 3 { 4 } else { self.integer()? };
            let value = self.some(usize::try_from(length).map_err(|error| error.to_string())?)?;
            if !allowed.contains(&field) || fields.insert(field, value.to_vec()).is_some() {
                return Err(format!("a field {field}"));
            }
        }
        Ok(fields)
    }
}

/// A JSON object with just these keys.
fn object(text: Option<&Vec<u8>>, keys: &[&str]) -> Result<serde_json::Value, String> {
    let value: serde_json::Value =
        serde_json::from_slice(text.ok_or("no info")?).map_err(|error| error.to_string())?;
    let there: BTreeSet<&str> = value.as_object().ok_or("no object")?.keys().map(String::as_str).collect();
    if there != keys.iter().copied().collect() {
        return Err(format!("the info has {there:?}"));
    }
    Ok(value)
}

/// Reads a whole stream, to its end.
pub(crate) fn read(mut stream: impl Read) -> Result<Tree, String> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let (mut tree, mut rest) = (Tree::default(), Bytes(&bytes));
    while !rest.0.is_empty() {
        let length = rest.some(4)?;
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        tree.take(rest.some(length as usize)?)?;
    }
    if tree.is_done { Ok(tree) } else { Err("no end".into()) }
}

/// A profiler that listens for one search. Also where.
pub(crate) fn listen() -> (String, JoinHandle<Result<Tree, String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it has one").to_string();
    let read = move || read(listener.accept().map_err(|error| error.to_string())?.0);
    (address, thread::spawn(read))
}

/// A profiler that goes away as soon as somebody has come.
pub(crate) fn leave() -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it has one").to_string();
    (address, thread::spawn(move || drop(listener.accept())))
}

/// A place where nobody listens.
pub(crate) fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it has one").to_string()
}
