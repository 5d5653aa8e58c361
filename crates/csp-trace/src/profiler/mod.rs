//! The search tree, live, in the profiler of the MiniZinc IDE.
//!
//! A [`Profiler`] observes a search and sends each node to a [cp-profiler](https://github.com/cp-profiler/cp-profiler), which draws the
//! tree while the search runs. The MiniZinc IDE has one built in: *View → Show search profiler* starts it, and it listens
//! on port 6565. Any model can be shown.
//!
//! ```no_run
//! use csp_core::prelude::*;
//! use csp_trace::profiler::{ADDRESS, Profiler};
//! let mut model = Model::new();
//! let queens = model.ints_named("row", 8, 0..8);
//! // ...
//! let mut solver = model.solver()?;
//! let profiler = Profiler::connect(ADDRESS, "8 queens")?.on_loss(|error| eprintln!("{error}"));
//! solver.set_trace(profiler.tracing());
//! solver.count();
//! // The tree is complete when the profiler is dropped.
//! solver.take_trace();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is drawn is the engine's own tree: as many solved, failed and other nodes as
//! [`Statistics`](csp_core::Statistics) has solutions, failures and other nodes. A node bears the decision that led to it, or its
//! opposite. Where a search that learns takes back several decisions at once, what it passes over is *skipped*; those nodes are
//! none of the search's. Where the search was stopped, nodes stay open.
//!
//! The IDE shows the root of a search without restarts as a branch without a label, whatever it turned out to be.
//!
//! A solver that the IDE itself starts, by *Profile search*, is called with `--cp-profiler ID,PORT`, if its configuration has
//! that among the `stdFlags`. It is then to connect to `localhost:PORT`, with that [`execution_id`](Profiler::execution_id).

mod connection;
mod message;

use std::fmt;
use std::io::{self, Write};
use std::mem;

use csp_core::engine::Relation;
use csp_core::observe::{Cause, Literal, Observer, SearchStart, TraceEvent, Tracing};
use serde_json::json;

use connection::{Connection, Plain};
pub use message::{Message, NodeId, NodeMessage, NodeStatus, PROTOCOL};

/// Where the MiniZinc IDE's profiler listens, if nothing else was there first.
pub const ADDRESS: &str = "localhost:6565";

/// Takes text for an address if it is one, a host and a port: for a command line whose `--profiler` may come
/// without.
///
/// ```
/// use csp_trace::profiler::{ADDRESS, address};
/// assert_eq!(address(ADDRESS), Ok(ADDRESS.to_owned()));
/// assert!(address("puzzle.txt").is_err());
/// ```
///
/// # Errors
/// What an address is, in words.
pub fn address(text: &str) -> Result<String, String> {
    let parts = text.rsplit_once(':').filter(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
    parts.map(|_| text.to_owned()).ok_or_else(|| {
        format!("an address is a host and a port, as in {ADDRESS}; without one, --profiler comes last")
    })
}

/// So many variables of a solution are told.
const TOLD_VALUES: usize = 100;
/// Nodes that are passed over belong to a thread of their own, where each has the number of its parent.
const SKIPPED_THREAD: i32 = 1;

/// No profiler listens.
#[derive(Debug, thiserror::Error)]
#[error(
    "no profiler listens at {address} ({source}): start the MiniZinc IDE, choose View → Show search profiler, and see \
     there which port it listens on"
)]
pub struct NoProfiler {
    address: String,
    source: io::Error,
}

/// Sends the tree of one search to a profiler while it runs; see the [module](self).
///
/// The tree ends when this is dropped, which is when the solver is or by [`take_trace`](csp_core::Solver::take_trace). If the profiler goes
/// away before, the search goes on without.
pub struct Profiler {
    /// None if it was lost, or the search is over.
    connection: Option<Connection>,
    on_loss: Option<OnLoss>,
    name: String,
    execution_id: i32,
    has_begun: bool,
    learns: bool,
    /// The names of the variables and constraints, by number.
    variables: Vec<String>,
    constraints: Vec<String>,
    restart: i32,
    /// The last node, of which is not yet known what it is.
    pending: Option<Pending>,
    /// The decisions in force, and what was decided last.
    levels: Vec<Level>,
    decision: Option<Literal>,
    /// The decisions that were just taken back.
    undone: Vec<Level>,
}

type OnLoss = Box<dyn FnOnce(&io::Error) + Send>;

struct Pending {
    id: NodeId,
    parent: NodeId,
    alternative: i32,
    label: String,
    status: NodeStatus,
    info: String,
}

/// A decision in force, and the node it was made at.
struct Level {
    node: NodeId,
    decision: Option<Literal>,
}

impl fmt::Debug for Profiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profiler").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Profiler {
    /// Connects to the profiler at `host:port`, which will show the search under a name.
    ///
    /// # Errors
    /// If none listens there.
    pub fn connect(address: &str, name: impl Into<String>) -> Result<Profiler, NoProfiler> {
        match connection::connect(address) {
            Ok(stream) => Ok(Profiler::new(Connection::new(stream), name.into())),
            Err(source) => Err(NoProfiler { address: address.to_owned(), source }),
        }
    }

    /// Writes to anything else what a profiler would be sent: to keep it in a file, say.
    ///
    /// ```
    /// use csp_core::prelude::*;
    /// use csp_trace::profiler::Profiler;
    /// use std::sync::mpsc;
    /// # struct Sender(mpsc::Sender<u8>);
    /// # impl std::io::Write for Sender {
    /// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
    /// #         bytes.iter().for_each(|&byte| self.0.send(byte).unwrap());
    /// #         Ok(bytes.len())
    /// #     }
    /// #     fn flush(&mut self) -> std::io::Result<()> { Ok(()) }
    /// # }
    /// # let (sender, receiver) = mpsc::channel();
    /// # let writer = Sender(sender);
    /// let mut model = Model::new();
    /// let x = model.int_named("x", 0..=1);
    /// let mut solver = model.solver()?;
    /// solver.set_trace(Profiler::to(writer, "two values").tracing());
    /// assert_eq!(solver.count().solutions, 2);
    /// solver.take_trace();
    /// # let bytes: Vec<u8> = receiver.iter().collect();
    /// # let text = String::from_utf8_lossy(&bytes);
    /// assert!(text.contains("x = 0") && text.contains("x ≠ 0"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn to(writer: impl Write + Send + 'static, name: impl Into<String>) -> Profiler {
        Profiler::new(Connection::new(Plain(writer)), name.into())
    }

    fn new(connection: Connection, name: String) -> Profiler {
        Profiler {
            connection: Some(connection),
            on_loss: None,
            name,
            execution_id: 0,
            has_begun: false,
            learns: false,
            variables: Vec::new(),
            constraints: Vec::new(),
            restart: 0,
            pending: None,
            levels: Vec::new(),
            decision: None,
            undone: Vec::new(),
        }
    }

    /// Is called once if the profiler cannot be sent the whole search, with the reason; the search goes on.
    #[must_use]
    pub fn on_loss(mut self, tell: impl FnOnce(&io::Error) + Send + 'static) -> Profiler {
        self.on_loss = Some(Box::new(tell));
        self
    }

    /// The number by which the profiler tells executions apart. It finds one itself if this is 0, as it is if nothing is said.
    /// One that another execution has already would put this tree into that one's.
    #[must_use]
    pub fn execution_id(mut self, id: i32) -> Profiler {
        self.execution_id = id;
        self
    }

    /// For [`Solver::set_trace`](csp_core::Solver::set_trace): the tree and nothing else is traced, and nothing recorded.
    pub fn tracing(self) -> Tracing {
        Tracing::new().events(0).tree_only().observer(self)
    }

    fn send(&mut self, message: Message<'_>) {
        if let Some(connection) = &mut self.connection
            && let Err(error) = connection.send(message)
        {
            self.lose(&error);
        }
    }

    fn lose(&mut self, error: &io::Error) {
        self.connection = None;
        if let Some(tell) = self.on_loss.take() {
            tell(error);
        }
    }

    fn id(&self, node: u64) -> NodeId {
        // Those beyond were refused where they came up.
        NodeId { node: i32::try_from(node).unwrap_or(i32::MAX), restart: self.restart, thread: 0 }
    }

    /// Sends the last node: now it is known how many children it has.
    fn settle(&mut self, children: i32) {
        if let Some(Pending { id, parent, alternative, label, status, info }) = self.pending.take() {
            let (label, info) = (&*label, &*info);
            let node = NodeMessage { id, parent, alternative, children, status, label, nogood: "", info };
            self.send(Message::Node(node));
        }
    }

    /// Right branches that need not be searched.
    fn skip(&mut self, levels: impl IntoIterator<Item = Level>) {
        for Level { node, decision } in levels {
            let label = decision.map_or(String::new(), |decision| self.words(opposite(decision)));
            self.send(Message::Node(NodeMessage {
                id: NodeId { thread: SKIPPED_THREAD, ..node },
                parent: node,
                alternative: 1,
                children: 0,
                status: NodeStatus::Skipped,
                label: &label,
                nogood: "",
                info: "",
            }));
        }
    }

    fn node(&mut self, node: u64, parent: u64, alternative: u8) {
        if i32::try_from(node).is_err() {
            return self.lose(&io::Error::other("the tree has more nodes than a profiler can number"));
        }
        let (id, parent_id) = (self.id(node), self.id(parent));
        let follows_pending = self.pending.as_ref().is_some_and(|pending| pending.id == parent_id);
        let decision = self.decision.take();
        let mut undone = mem::take(&mut self.undone).into_iter();
        let (parent, alternative, label) = match (parent, alternative) {
            (0, _) => (NodeId::NONE, -1, "root".to_owned()),
            (_, 0) => {
                self.settle(2);
                self.levels.push(Level { node: parent_id, decision });
                (parent_id, 0, decision.map_or(String::new(), |decision| self.words(decision)))
            }
            // A search goes on at a solution for a better one.
            _ if follows_pending => {
                self.settle(1);
                (parent_id, 0, "a better one?".to_owned())
            }
            _ => {
                self.settle(0);
                let decision = undone.next().and_then(|level| level.decision);
                let label = match decision {
                    _ if self.learns => "learnt".to_owned(),
                    Some(decision) => self.words(opposite(decision)),
                    None => String::new(),
                };
                self.skip(undone);
                (parent_id, 1, label)
            }
        };
        let (status, info) = (NodeStatus::Branch, String::new());
        self.pending = Some(Pending { id, parent, alternative, label, status, info });
    }

    /// The last node is of this kind.
    fn mark(&mut self, status: NodeStatus, info: String) {
        if let Some(pending) = &mut self.pending {
            pending.status = status;
            pending.info = info;
        }
    }

    fn words(&self, Literal { variable, relation, value }: Literal) -> String {
        match self.variables.get(variable) {
            Some(name) => format!("{name} {relation} {value}"),
            None => format!("a hidden variable {relation} {value}"),
        }
    }

    /// Who found that a node has no solution.
    fn reason(&self, cause: Cause) -> String {
        let reason = match cause {
            Cause::Constraint(number) => match self.constraints.get(number) {
                // The profiler adds up `reasons` for each constraint.
                Some(name) => return json!({ "failed": name, "reasons": [number] }).to_string(),
                None => cause.to_string(),
            },
            _ => cause.to_string(),
        };
        json!({ "failed": reason }).to_string()
    }

    fn solution(&self, values: &[i64]) -> String {
        let told = self.variables.iter().zip(values).take(TOLD_VALUES);
        let told: serde_json::Map<_, _> = told.map(|(name, &value)| (name.clone(), value.into())).collect();
        json!({ "solution": told }).to_string()
    }

    /// Ends the tree, and the connection.
    fn finish(&mut self) {
        if !self.has_begun {
            return;
        }
        self.settle(0);
        // The search was completed by what it learnt; where it was stopped, nothing was undone.
        let undone = mem::take(&mut self.undone);
        self.skip(undone);
        self.send(Message::Done);
        if let Some(mut connection) = self.connection.take()
            && let Err(error) = connection.flush()
        {
            self.lose(&error);
        }
    }
}

/// What holds where a statement does not.
fn opposite(Literal { variable, relation, value }: Literal) -> Literal {
    // Values are far from the ends of `i64`.
    let (relation, value) = match relation {
        Relation::Ge => (Relation::Le, value.saturating_sub(1)),
        Relation::Le => (Relation::Ge, value.saturating_add(1)),
        Relation::Eq => (Relation::Ne, value),
        Relation::Ne => (Relation::Eq, value),
    };
    Literal { variable, relation, value }
}

impl Observer for Profiler {
    /// A profiler shows one search; of others it is told nothing.
    fn begin(&mut self, search: SearchStart<'_>) {
        if self.has_begun {
            return self.finish();
        }
        self.has_begun = true;
        self.learns = search.learns;
        self.variables = search.variables.iter().map(|x| x.name.clone()).collect();
        let constraints = search.constraints.iter();
        self.constraints =
            constraints.map(|x| x.name.clone().unwrap_or_else(|| shortened(&x.description))).collect();
        let info = json!({
            "name": self.name, "has_restarts": search.restarts, "execution_id": self.execution_id,
        });
        self.send(Message::Start(&info.to_string()));
    }

    fn event(&mut self, event: &TraceEvent) {
        if self.connection.is_none() {
            return;
        }
        match event {
            TraceEvent::Node { node, parent, alternative, .. } => self.node(*node, *parent, *alternative),
            TraceEvent::Decision { literal, .. } => self.decision = Some(*literal),
            TraceEvent::Failure { cause, .. } => self.mark(NodeStatus::Failed, self.reason(*cause)),
            TraceEvent::Solution { values } => self.mark(NodeStatus::Solved, self.solution(values)),
            TraceEvent::Undo { to_depth, .. } => {
                let kept = self.levels.len().min(*to_depth);
                self.undone = self.levels.split_off(kept);
            }
            TraceEvent::Restart => {
                self.settle(0);
                // What was not searched stays open.
                self.undone.clear();
                self.restart += 1;
                let info = json!({ "restart_id": self.restart }).to_string();
                self.send(Message::Restart(&info));
            }
            TraceEvent::Change { .. } | TraceEvent::Fixpoint => {}
        }
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    const LENGTH: usize = 200;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
