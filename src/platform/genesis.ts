import { type GenesisConfig, parseConfig as parseWith } from "../core/genesis/config.js"
import { type GenesisChoice as ChoiceWith, genesisFor as genesisWith } from "../core/genesis/forNetwork.js"
import type { Genesis } from "../core/genesis/genesis.js"
import { bls, crypto } from "./backends.js"

/** Options that select the genesis of a node. */
export type GenesisChoice = Omit<ChoiceWith, "crypto">

/** Reads a genesis file. Throws `genesis.malformed`, or `genesis.bad_field` with the field and the reason. */
export const parseConfig = (text: string): GenesisConfig => parseWith(text, bls())

/** Returns the genesis that a node with these options has. Throws `genesis.*`. */
export const genesisFor = (choice: GenesisChoice): Genesis => genesisWith({ ...choice, crypto })
