// The client that users import as "serac/client", in Node.js and in browsers. It imports no module of Node.js; a test runs it in a browser.

export { type AnswerOf, type Call, httpClient, type MethodName, type ParamsOf, type ServiceCalls } from "./client/client.js"
export type { BlockAcceptedEvent, ChainEvent, L1WatchEvent, RevertEvent, TxAcceptedEvent } from "./client/events/chainEvent.js"
export { subscribe } from "./client/events/subscribe.js"
export type { SubscribeOptions, Subscription } from "./client/events/subscription.js"
export { Invalid, type Refusal, type RefusalData } from "./core/lib/invalid.js"
export { type Json, printJson } from "./core/lib/json.js"
