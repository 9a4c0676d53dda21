//! Honest games conform, and for every promise there is a twin that breaks it and is found out.

mod honest;
mod twin;
mod twins;
