import { refusals } from "../lib/invalid.js"

/** Errors of peers. */
export const p2pError = refusals({
  "p2p.frame_too_large": "the frame is longer than 2 MiB",
  "p2p.incomplete_too_long":
    "the incomplete messages of all peers took too much memory, and this peer's had been incomplete longest",
  "p2p.bad_message": "the bytes are not a message",
  "p2p.nested_compression": "a compressed message holds another compressed message",
  "p2p.bad_compression": "the compressed bytes are not zstd, or hold more than 2 MiB",
  "p2p.bad_filter": "the bloom filter has no hash functions, more than 16, or no bits",
  "p2p.salt_too_long": "the salt of the bloom filter is longer than 32 bytes",
  "p2p.bad_address": "the address is not an IPv4 or IPv6 address with a port other than 0",
  "p2p.bad_address_text": "the text is not an address and a port, like 127.0.0.1:9651 or [::1]:9651",
  "p2p.address_from_future": "the address was signed in the future, by more than clocks may differ",
  "p2p.bad_address_signature": "the address is not signed with the key of the node's certificate",
  "p2p.bad_bls_signature": "the address is not signed with the node's BLS key",
  "p2p.other_network": "the peer belongs to another network",
  "p2p.clock_skew": "the peer's clock differs from this node's by more than --network-max-clock-difference",
  "p2p.too_many_subnets": "the peer tracks more than 16 subnets",
  "p2p.bad_subnet_id": "the peer tracks a subnet whose ID does not have 32 bytes",
  "p2p.contradicting_acps": "the peer supports and objects to the same ACP",
  "p2p.version_too_old": "the peer's version is too old for this network",
  "p2p.version_too_new": "the peer's major version is newer than this node's",
  "p2p.second_handshake": "the peer sent a second handshake",
  "p2p.bad_uptime": "the peer reported an uptime above 100 percent",
  "p2p.unexpected_pong": "the peer sent a pong that answers no ping",
  "p2p.no_filter": "the peer asked for peers without a bloom filter",
  "p2p.silent": "the peer sent nothing for as long as --network-ping-timeout",
  "p2p.own_node_id": "the peer has our own node ID",
  "p2p.already_connected": "the peer is already connected",
  "p2p.no_certificate": "the peer presented no certificate",
  "p2p.not_a_validator": "the peer is neither a validator nor a bootstrapper, and --network-require-validator-to-connect is on",
})
