import { refusals } from "../core/lib/invalid.js"

/** Refusals of messages and calls of the Model Context Protocol. */
export const mcpError = refusals({
  "mcp.not_json": "the line is not JSON",
  "mcp.bad_message": "a message is one JSON-RPC 2.0 request or notification on one line",
  "mcp.unknown_method": "the server has no such method of the Model Context Protocol",
  "mcp.not_initialized": "a request names its protocol version and its client's capabilities in _meta, or comes after initialize",
  "mcp.unsupported_version": "the server does not support this version of the Model Context Protocol",
  "mcp.bad_params": "the parameters of the request do not have their form",
  "mcp.bad_cursor": "the list has one page only, so that no cursor is valid",
  "mcp.unknown_tool": "there is no such tool",
  "mcp.unknown_resource": "there is no such resource",
  "mcp.only_private": "only a private chain has this tool, and this node has none",
  "mcp.answer_too_long":
    "the answer is too long for an assistant: ask for less, such as one node, one address or a smaller limit",
})
