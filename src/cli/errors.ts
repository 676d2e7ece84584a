import { refusals } from "../core/lib/invalid.js"

/** What is wrong with a command line, its environment, its configuration or its input. */
export const cliError = refusals({
  "cli.unknown_command": "there is no such command",
  "cli.misplaced_command": "a command stands first, before its flags",
  "cli.unknown_flag": "the command has no such flag",
  "cli.missing_flag": "the command needs this flag",
  "cli.flag_without_value": "the flag needs a value",
  "cli.flag_value": "the flag's value is not of its form",
  "cli.flags_conflict": "these flags do not go together",
  "cli.missing_argument": "an argument is missing",
  "cli.extra_argument": "there is one argument too many",
  "cli.bad_config": "the configuration is not a JSON object of flags",
  "cli.unreadable_file": "the file cannot be read",
  "cli.unwritable_file": "the file cannot be written",
  "cli.too_many_files": "this process may not open as many files as it needs: raise its limit (ulimit -n)",
  "cli.no_input": "there is nothing to read",
  "cli.line_too_long": "a line is too long",
  "cli.stop_timeout": "the process did not finish its work in time and ends without it: --http-shutdown-timeout gives it longer",
  "cli.no_answer": "no node answers there; is it running, and is this its port?",
  "cli.not_a_node":
    "the answer from this address is not that of a node's API; is this the node's address, and does it serve this method?",
  "cli.unknown_method": "the API has no such method",
  "cli.bad_param": "a parameter is written as name=value",
  "cli.unknown_tx": "the node knows no such transaction",
  "cli.unknown_param": "the method has no such parameter",
  "cli.repeated_param": "the parameter is given twice",
  "cli.param_value": "the parameter's value does not have its form",
  "cli.not_healthy": "the node is not well",
  "cli.no_conversion": "the value has no such form",
})
