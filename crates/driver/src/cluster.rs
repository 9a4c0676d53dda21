//! A whole cluster on this machine: NATS servers, servers of Cat's Cradle, and a balancer in front of them.

mod balancer;
mod cluster_command;
mod cluster_faults;
mod haproxy;
mod long_polls;
mod lost_majority;
mod nats_process;
mod newer_entry;
mod poll_client;
mod races;
mod server_cluster;
mod unanswered_moves;
mod upgrade;

pub(crate) use cluster_command::ClusterCommand;
pub(crate) use cluster_faults::{ClusterPrograms, soak_cluster};
pub(crate) use server_cluster::{NatsRoute, ServerCluster};
