import { type Json, printJson } from "./rpc.js"

/** A call as text to copy. */
export interface Snippet {
  readonly name: string
  readonly text: string
}

/** The classes of avalanchejs by service; other services have none. */
const CLASSES: Readonly<Record<string, readonly [namespace: string, name: string]>> = {
  platform: ["pvm", "PVMApi"],
  info: ["info", "InfoApi"],
  avm: ["avm", "AVMApi"],
}

/** Writes a call as curl, as fetch and, if its service has a class there, with avalanchejs. */
export function snippetsOf(origin: string, path: string, method: string, params: { readonly [name: string]: Json }): Snippet[] {
  const body = printJson({ jsonrpc: "2.0", id: 1, method, params })
  const curl = `curl -X POST -H 'content-type: application/json' --data '${body.replaceAll("'", "'\\''")}' ${origin}${path}`
  const fetched = `const response = await fetch(${JSON.stringify(origin + path)}, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(${body}),
})
console.log(await response.json())`
  const all = [
    { name: "curl", text: curl },
    { name: "fetch", text: fetched },
  ]
  const [service = "", name = ""] = method.split(".")
  const [namespace, type] = CLASSES[service] ?? []
  if (namespace === undefined) return all
  const avalanchejs = `import { ${namespace} } from "@avalabs/avalanchejs"

const api = new ${namespace}.${type}(${JSON.stringify(origin)})
console.log(await api.callRpc(${JSON.stringify(name)}, ${printJson(params)}))`
  return [...all, { name: "avalanchejs", text: avalanchejs }]
}
