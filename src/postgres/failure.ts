import { Invalid } from "../core/lib/invalid.js"
import { urlWithoutPassword } from "./connection.js"
import { postgresError } from "./errors.js"

type Code = keyof (typeof postgresError)["list"]

/** SQLSTATEs, or their first characters, with their meaning here. */
const byState: readonly (readonly [string, Code])[] = [
  ["28", "postgres.login"],
  ["3D000", "postgres.no_database"],
  ["42501", "postgres.not_allowed"],
  ["25006", "postgres.read_only"],
  ["53100", "postgres.disk_full"],
  // Too many connections, a server that starts or stops, a connection that an administrator ended.
  ["53300", "postgres.unreachable"],
  ["57P", "postgres.unreachable"],
  ["08", "postgres.unreachable"],
]

/** Codes of Node.js and of the client library for a connection that was not made or was lost. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EPIPE",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
])

/** Errors that only a person can fix: a wrong password, another chain. */
const PERMANENT: ReadonlySet<string> = new Set([
  "postgres.bad_url",
  "postgres.login",
  "postgres.no_database",
  "postgres.not_allowed",
  "postgres.older_schema",
  "postgres.newer_schema",
  "postgres.other_chain",
  "postgres.other_block",
  "postgres.history_incomplete",
  "postgres.foreign",
])

/** Returns an error of the server or of the connection as a refusal with one of Serac's codes. Returns any other error unchanged. */
export function databaseFailure(error: unknown, url: string): unknown {
  if (error instanceof Invalid || !(error instanceof Error)) return error
  const { code, name } = error as Error & { code?: unknown }
  if (typeof code !== "string") return error
  const server = urlWithoutPassword(url)
  if (name === "PostgresError") return postgresError(codeOfState(code), { server, reason: error.message, state: code })
  return UNREACHABLE.has(code) ? postgresError("postgres.unreachable", { server, reason: code }) : error
}

function codeOfState(state: string): Code {
  return byState.find(([start]) => state.startsWith(start))?.[1] ?? "postgres.failed"
}

/** Returns whether an error persists until a person fixes it. */
export function isPermanentFailure(error: unknown): boolean {
  return error instanceof Invalid && PERMANENT.has(error.code)
}
