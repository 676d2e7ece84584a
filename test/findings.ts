/** A finding of our own security review, which attacked the node as strangers would: what was wrong, and a test that fails without its fix. */
export interface Finding {
  readonly number: number
  /** What was wrong; left out where the number stands again. */
  readonly fault?: string
  readonly file: string
  /** The title of the test, or a part of it. */
  readonly test: string
}

/**
 * The 26 findings, each with its tests. `test/rpc/limits` also holds every method and route against F1, F2, F5 to F7, F10, F11, F14 and F19 in
 * general.
 */
export const findings: readonly Finding[] = [
  {
    number: 1,
    fault: "a body in one-byte chunks filled the memory",
    file: "test/rpc/http/load.test.ts",
    test: "is refused when it has more than 1,024 small chunks, takes no memory, and its connection ends (F1)",
  },
  {
    number: 2,
    fault: "a batch was one turn of the event loop, with unbounded answers",
    file: "src/jsonrpc/call/dispatch.test.ts",
    test: "a batch is admitted again between its calls; what the client cannot pay is refused",
  },
  {
    number: 2,
    file: "src/jsonrpc/call/dispatch.test.ts",
    test: "the answers to a batch have a bound, and so have those that a client leaves unread",
  },
  {
    number: 2,
    file: "src/jsonrpc/limits/meter.test.ts",
    test: "long work is interrupted for another client, and a client in between begins nothing else",
  },
  {
    number: 3,
    fault: "an output with many owners filled the disk",
    file: "test/node/diskUse.test.ts",
    test: "takes at most 50 bytes of disk for each of its bytes, whichever of its lists is long",
  },
  {
    number: 4,
    fault: "proofs of possession as credentials were all verified",
    file: "src/core/chain/verifyWithPauses.test.ts",
    test: "are refused after one of them was verified, however many there are",
  },
  { number: 4, file: "src/core/chain/verifyWithPauses.test.ts", test: "are verified once in a block, too" },
  {
    number: 4,
    file: "src/sources/private/privateNode.test.ts",
    test: "a public server has loaded its back ends before it listens",
  },
  {
    number: 5,
    fault: "time behind an `await` was free",
    file: "test/rpc/http/load.test.ts",
    test: "is charged for what it took behind a promise, and for proofs before they are verified (F5)",
  },
  { number: 5, file: "src/jsonrpc/limits/meter.test.ts", test: "every piece of asynchronous work is charged" },
  {
    number: 5,
    file: "src/core/chain/verifyWithPauses.test.ts",
    test: "of a subnet that does not exist is refused after one proof",
  },
  {
    number: 6,
    fault: "past events of a stream were free",
    file: "src/jsonrpc/events/hub.test.ts",
    test: "past events are charged to the client that asks for them, and a client in debt gets no more of them (F6)",
  },
  {
    number: 7,
    fault: "a long unknown method cost one unit",
    file: "src/jsonrpc/call/dispatch.test.ts",
    test: "an unknown method of any length is refused with a short text",
  },
  { number: 7, file: "test/rpc/http/load.test.ts", test: "are charged, and stop when the units are used up (F19)" },
  {
    number: 8,
    fault: "any web page could write",
    file: "test/rpc/http/origins.test.ts",
    test: "they are refused at the method, alone and in a batch, with the flag that allows it",
  },
  {
    number: 8,
    file: "src/keystore/keystore.test.ts",
    test: "the number of users and of their bytes is limited, and deleting makes room",
  },
  {
    number: 9,
    fault: "few addresses could take all connections and streams",
    file: "test/rpc/http/load.test.ts",
    test: "beyond the limit of all clients are ended, and a newcomer is served once silent ones have ended (F9)",
  },
  {
    number: 9,
    file: "test/rpc/http/load.test.ts",
    test: "are shared among clients; the client with the most streams loses one to a newcomer (F9)",
  },
  {
    number: 10,
    fault: "a debt ended after four seconds",
    file: "src/jsonrpc/limits/limits.test.ts",
    test: "a debt is paid in full, however large it is",
  },
  {
    number: 11,
    fault: "ten milliseconds of each call were free",
    file: "src/jsonrpc/limits/meter.test.ts",
    test: "a request costs its price or what it used, whichever is more",
  },
  {
    number: 12,
    fault: "`getBalance` took any number of addresses",
    file: "test/rpc/methods/cases/money.ts",
    test: "number of addresses given, 2000, exceeds maximum, 1024",
  },
  {
    number: 13,
    fault: "`getTx` printed the same transaction again and again",
    file: "src/services/platform/txs/getTx.test.ts",
    test: "a transaction that is asked for as JSON again and again is printed twice at most (F13)",
  },
  {
    number: 14,
    fault: "unread answers had no bound",
    file: "test/rpc/http/load.test.ts",
    test: "are bounded: an answer beyond the room of its client is refused (F14)",
  },
  {
    number: 15,
    fault: "a data directory could overwrite other files",
    file: "src/store/lmdb/directory.test.ts",
    test: "a link whose target does not exist makes no file there",
  },
  {
    number: 15,
    file: "src/store/lmdb/directory.test.ts",
    test: "files that have another name too are refused, and keep what they hold",
  },
  {
    number: 15,
    file: "src/files/writeWholeFile.test.ts",
    test: "a link is replaced and not followed, neither at the name itself nor at the one that was used before",
  },
  {
    number: 16,
    fault: "files were readable by every user",
    file: "src/store/lmdb/directory.test.ts",
    test: "its directories, its files and its backup",
  },
  {
    number: 16,
    file: "src/files/writeWholeFile.test.ts",
    test: "a file is readable by its owner alone, and no other file is left",
  },
  {
    number: 17,
    fault: "a damaged `data.mdb` ended the process",
    file: "src/store/lmdb/childProcess.test.ts",
    test: "a file that ends the process which reads it is damaged",
  },
  { number: 17, file: "test/faults/damage.test.ts", test: "cut to nothing" },
  {
    number: 18,
    fault: "the Docker image was open, and not locked",
    file: "test/deploy.test.ts",
    test: "the image is on a Node that is supported, installs what the lock file names, runs no package's script, and by default serves only this machine",
  },
  {
    number: 19,
    fault: "refused requests were free",
    file: "test/rpc/http/load.test.ts",
    test: "are charged, and stop when the units are used up (F19)",
  },
  {
    number: 20,
    fault: "readers of files took quadratic time",
    file: "src/sync/blockFile.test.ts",
    test: "a line as long as may be, in small pieces",
  },
  { number: 20, file: "src/sync/blockFile.test.ts", test: "texts deep within brackets" },
  {
    number: 21,
    fault: "small gzip files filled the memory",
    file: "src/files/readBoundedFile.test.ts",
    test: "gzip is unpacked up to the limit, and beyond 64 MiB up to 16 times its size: a few bytes do not become many",
  },
  {
    number: 22,
    fault: "text of others controlled the terminal",
    file: "src/cli/commands/decode.test.ts",
    test: "control characters in a name are escaped and do not control the terminal",
  },
  { number: 22, file: "src/cli/commandLine.test.ts", test: "control characters of a configuration do not reach the terminal" },
  {
    number: 22,
    file: "src/node/log.test.ts",
    test: "untrusted text in a log line is escaped, so that it neither controls the terminal nor starts a new line",
  },
  {
    number: 23,
    fault: "a public server revealed its validator",
    file: "test/rpc/info.test.ts",
    test: "a public server reveals neither its stake nor whether it validates",
  },
  {
    number: 24,
    fault: "`chrome-extension://localhost` counted as this machine",
    file: "test/rpc/http/origins.test.ts",
    test: "chrome-extension://localhost",
  },
  {
    number: 25,
    fault: "the time of an answer revealed whether a user exists",
    file: "src/keystore/keystore.test.ts",
    test: "a wrong password takes one hash, whether there is such a user or not",
  },
  {
    number: 26,
    fault: "debts were forgotten in the order of arrival",
    file: "src/jsonrpc/limits/limits.test.ts",
    test: "new clients do not evict the debts of others",
  },
]
