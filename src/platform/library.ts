import type { CheckContext as ContextWith } from "../core/txs/base.js"
import { checkTx as checkWith, type UnsignedTx } from "../core/txs/unsignedTx.js"
import type { ID } from "../core/types/id.js"
import { type Container, verifyContainer as verifyWith } from "../core/types/proposervm.js"
import { crypto } from "./backends.js"

/** The network of a transaction, as its syntactic checks need it. */
export type CheckContext = Omit<ContextWith, "crypto">

/** Checks a transaction without a state, as its kind does. Throws `tx.*` and others. */
export const checkTx = (tx: UnsignedTx, context: CheckContext): void => checkWith(tx, { ...context, crypto })

/** Checks the form of a wrapper and its signature for a chain. Throws `types.*`. */
export const verifyContainer = (value: Container, chainID: ID): void => verifyWith(value, chainID, crypto.parseCertificate)
