// The client that users import as "serac/client", in Node.js and in browsers. It imports no module of Node.js; a test runs it in a browser.
export { Invalid, type Refusal, type RefusalData } from "./core/lib/invalid.js"
export { type Json, printJson } from "./core/lib/json.js"
export { type AnswerOf, type Call, httpClient, type MethodName, type ParamsOf, type ServiceCalls } from "./node/client.js"
export type { BlockAcceptedEvent, ChainEvent, RevertEvent, TxAcceptedEvent } from "./node/events/chainEvent.js"
export { subscribe } from "./node/events/subscribe.js"
export type { SubscribeOptions, Subscription } from "./node/events/subscription.js"
