//! The file to which a run adds its finished parts.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    CheckpointError, Contents, Header, checksum,
    contents::{part_line, read_text, with_checksum},
};
use crate::counting::Part;

/// An open checkpoint, locked until it is dropped.
#[derive(Debug)]
pub(in super::super) struct Log {
    path: PathBuf,
    header: String,
    /// For the lines; nothing once a line could not be written, since the next would not be whole.
    lines: Mutex<Option<File>>,
    /// The same, to wait for the disk while others write.
    disk: File,
    is_ahead: AtomicBool,
}

impl Log {
    /// Opens the checkpoint of this count, or starts it: the log, and what stands in it.
    ///
    /// A file that is empty, or that was killed within its first line, is started anew.
    pub(in super::super) fn open(path: &Path, header: Header) -> Result<(Self, Contents), CheckpointError> {
        let failed = |error| CheckpointError::file(path, &error);
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(failed(io::Error::other("it is no regular file")));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            // Without locks, two processes that write the same parts make a file that is refused.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) => return Err(CheckpointError::Locked { file: path.to_owned() }),
        }
        let header_text = header.text();
        let first_line = with_checksum(&header_text, checksum(&[&header_text]));
        let text = read_text(&file).map_err(failed)?;
        let contents = if text.len() < first_line.len() && first_line.as_bytes().starts_with(&text) {
            file.set_len(0).and_then(|()| file.write_all(first_line.as_bytes())).map_err(failed)?;
            Contents::parse(first_line.as_bytes(), path)?
        } else {
            let contents = Contents::parse(&text, path)?;
            contents.header.check_same(&header, path)?;
            file.set_len(contents.length as u64).map_err(failed)?;
            contents
        };
        let disk = file.try_clone().map_err(failed)?;
        let lines = Mutex::new(Some(file));
        let log =
            Self { path: path.to_owned(), header: header_text, lines, disk, is_ahead: AtomicBool::new(true) };
        log.sync()?;
        Ok((log, contents))
    }

    /// Adds a finished part.
    pub(in super::super) fn keep(&self, number: usize, part: Part) -> Result<(), CheckpointError> {
        let line = part_line(number, part);
        let line = with_checksum(&line, Header::checksum(&self.header, &line));
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = lines.as_mut() else {
            return Err(self.failed(&io::Error::other("an earlier line could not be written")));
        };
        if let Err(error) = file.write_all(line.as_bytes()) {
            *lines = None;
            return Err(self.failed(&error));
        }
        self.is_ahead.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Waits until what was added is on the disk.
    pub(in super::super) fn sync(&self) -> Result<(), CheckpointError> {
        match self.is_ahead.swap(false, Ordering::Relaxed) {
            true => self.disk.sync_data().map_err(|error| self.failed(&error)),
            false => Ok(()),
        }
    }

    fn failed(&self, error: &io::Error) -> CheckpointError {
        CheckpointError::file(&self.path, error)
    }
}
