//! The way to a profiler: it may be slow, and go away at any time.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use super::message::Message;

/// So much is written at once.
const BUFFER: usize = 1 << 16;
/// What is there is written after so long.
const PERIOD: Duration = Duration::from_millis(100);
/// How long an address may take to answer, and a listener to read on.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connects to the first address of a host that answers.
pub(super) fn connect(address: &str) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                // Without it a listener that hangs would hang the search.
                stream.set_write_timeout(Some(PATIENCE))?;
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Where the messages go.
pub(super) trait Sink: Write + Send {
    /// Nothing more comes.
    fn close(&mut self) {}
}

impl Sink for TcpStream {
    fn close(&mut self) {
        // It may be closed already.
        let _ = self.shutdown(Shutdown::Write);
    }
}

/// Any other writer.
pub(super) struct Plain<W>(pub(super) W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + Send> Sink for Plain<W> {}

/// Gathers messages, and writes them when there are many or the last ones were a while ago.
pub(super) struct Connection {
    sink: Box<dyn Sink>,
    buffer: Vec<u8>,
    written: Instant,
}

impl Connection {
    pub(super) fn new(sink: impl Sink + 'static) -> Connection {
        Connection { sink: Box::new(sink), buffer: Vec::new(), written: Instant::now() }
    }

    pub(super) fn send(&mut self, message: Message<'_>) -> io::Result<()> {
        message.write_to(&mut self.buffer);
        if self.buffer.len() < BUFFER && self.written.elapsed() < PERIOD {
            return Ok(());
        }
        self.flush()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.buffer).and_then(|()| self.sink.flush()).map_err(|error| {
            match error.kind() {
                // What the system says of a write that took too long is no help.
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => io::Error::new(
                    error.kind(),
                    format!("it read nothing for {} seconds", PATIENCE.as_secs()),
                ),
                _ => error,
            }
        })?;
        self.buffer.clear();
        self.written = Instant::now();
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.sink.close();
    }
}
