/** The path of the P-Chain's API. */
export const P = "/ext/bc/P"

/** A small call, and its answer on a chain that has only its genesis. */
export const HEIGHT = '{"jsonrpc":"2.0","method":"platform.getHeight","params":{},"id":1}'
export const HEIGHT_ANSWER = '{"jsonrpc":"2.0","result":{"height":"0"},"id":1}\n'

/** Returns the bytes of a call in HTTP. `more` has further headers, each with its line end. */
export const requestText = (body: string, more = "") =>
  `POST ${P} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
