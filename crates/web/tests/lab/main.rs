//! The lab without a browser.

mod driver;
mod friend;
mod learning;
mod linked;
mod playing;
mod proving;
mod translated;
mod writing;
