import type { TextFormat } from "../core/codec/schema.js"
import type { Invalid } from "../core/lib/invalid.js"
import type { AnswerRoom } from "./answerRoom.js"
import type { AnswerCache } from "./call/answerCache.js"
import { handle } from "./call/dispatch.js"
import type { CallReport, Endpoint } from "./call/endpoint.js"
import type { Reply } from "./call/reply.js"
import type { AnyMethod } from "./method.js"
import type { Dialect } from "./schema/param.js"
import type { AnyService, MountedService } from "./service.js"

/** Parts of an API. */
export interface ApiOptions {
  readonly dialect: Dialect
  /** Text format of values in JSON. */
  readonly textFormat: TextFormat
  readonly services: readonly MountedService[]
  /** Methods found on every path besides those of its service. */
  readonly everywhere: readonly AnyMethod[]
  /** The answers that may be sent again; omitted if none is. */
  readonly answers?: AnswerCache
  /** The room for answers that are being printed. */
  readonly answerRoom: AnswerRoom
  /** Refuses methods about this particular node, and serves each service as its `onPublicServer` says. */
  readonly isPublic: boolean
  /** Receives a report of each call of a method. */
  observe?(call: CallReport): void
  /** Receives the error of each request that names no method which may be called at its path. */
  onRefusal?(error: Invalid): void
  /** Called with faults in Serac. */
  onFault?(error: unknown, method: string): void
}

/** An API without a transport: paths and their endpoints. */
export class Api {
  readonly dialect: Dialect
  /** The endpoints by path. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** The services that are served here, each with the methods that can be called. */
  readonly answered: readonly AnyService[]

  constructor(options: ApiOptions) {
    this.dialect = options.dialect
    const served = options.services.filter((each) => isServed(each, options))
    this.answered = served
      .filter(({ service }) => !options.isPublic || service.onPublicServer === "open")
      .map(({ service }) => ({ ...service, methods: service.methods.filter((method) => isAnswered(method, options)) }))
    this.endpoints = new Map(
      served.flatMap((each) => {
        const endpoint = endpointOf(each, options)
        return [...each.service.paths, ...each.morePaths].map((path) => [path, endpoint] as const)
      }),
    )
  }

  /** Answers a body sent to a path; `undefined` if nothing is served there. */
  handle(path: string, body: Uint8Array): Promise<Reply> | undefined {
    const endpoint = this.endpoints.get(path)
    return endpoint && handle(body, endpoint)
  }
}

function isServed({ service: { onPublicServer } }: MountedService, { isPublic, dialect }: ApiOptions): boolean {
  if (!isPublic || onPublicServer === "open") return true
  return onPublicServer === "closed" && dialect === "contract"
}

function isAnswered({ onlyIn, nodeSpecific }: AnyMethod, { isPublic, dialect }: ApiOptions): boolean {
  return (onlyIn === undefined || onlyIn === dialect) && !(isPublic && nodeSpecific)
}

function endpointOf({ service, open }: MountedService, options: ApiOptions): Endpoint {
  const { dialect, textFormat, answers, answerRoom, isPublic, services, everywhere, observe, onRefusal, onFault } = options
  const methods: readonly AnyMethod[] = [...service.methods, ...everywhere]
  return {
    service,
    methods: new Map(methods.map((method) => [method.name, method])),
    dialect,
    textFormat: { ...textFormat, dialect },
    answers,
    answerRoom,
    isPublic,
    isClosed: isPublic && service.onPublicServer === "closed",
    open,
    pathOf: (name) => pathOf(name, services),
    ...(observe ? { observe } : {}),
    ...(onRefusal ? { onRefusal } : {}),
    ...(onFault ? { onFault } : {}),
  }
}

/** The path at which a method is served. */
function pathOf(name: string, services: readonly MountedService[]): string | undefined {
  return services.find(({ service }) => service.methods.some((method) => method.name === name))?.service.paths[0]
}
