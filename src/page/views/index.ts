import type { ComponentType } from "preact"
import { grouped, shortened, visibleText } from "../data/format.js"
import { AddressView } from "./AddressView.js"
import { ApiView } from "./ApiView.js"
import { BlockView } from "./BlockView.js"
import { L1ValidatorView } from "./L1ValidatorView.js"
import { L1View } from "./L1View.js"
import { LabView } from "./LabView.js"
import { Overview } from "./Overview.js"
import { SearchView, SpellingsView } from "./SearchView.js"
import { SubnetsView } from "./SubnetsView.js"
import { SubnetView } from "./SubnetView.js"
import { TxView } from "./TxView.js"
import { ValidatorsView } from "./ValidatorsView.js"
import { ValidatorView } from "./ValidatorView.js"

/** A view of the page. A new one is a file and an entry in `views`. */
export interface View {
  /** The first part of its address: `tx` for `#/tx/…`. */
  readonly name: string
  /** Description of the argument in its address; omitted if the view has none. */
  readonly takes?: string
  /** Its name in the menu; omitted if it has no place there. */
  readonly menu?: string
  /** The end of this name, which narrow screens omit. */
  readonly menuMore?: string
  title(argument: string): string
  readonly Content: ComponentType<{ readonly argument: string }>
}

const about = (name: string) => (argument: string) => `${name} ${shortened(visibleText(argument), 12, 5)}`

/** Every view. */
export const views: readonly View[] = [
  { name: "", menu: "Overview", title: () => "The P-Chain now", Content: Overview },
  { name: "validators", menu: "Validators", title: () => "Validators", Content: ValidatorsView },
  { name: "subnets", menu: "Subnets", menuMore: "and L1s", title: () => "Subnets and L1s", Content: SubnetsView },
  { name: "api", menu: "API", title: (name) => (name === "" ? "API" : name), Content: ApiView },
  { name: "lab", menu: "Lab", title: () => "Lab", Content: LabView },
  {
    name: "block",
    takes: "a height or ID",
    title: (at) => (/^\d+$/.test(at) ? `Block ${grouped(at)}` : "Block"),
    Content: BlockView,
  },
  { name: "tx", takes: "a transaction ID", title: about("Transaction"), Content: TxView },
  { name: "address", takes: "an address", title: about("Address"), Content: AddressView },
  { name: "validator", takes: "a node ID", title: about("Validator"), Content: ValidatorView },
  { name: "l1validator", takes: "a validation ID", title: about("L1 validator"), Content: L1ValidatorView },
  { name: "subnet", takes: "a subnet ID", title: about("Subnet"), Content: SubnetView },
  { name: "l1", takes: "a name or blockchain ID", title: about("L1"), Content: L1View },
  { name: "search", takes: "a text", title: about("Search"), Content: SearchView },
  { name: "spellings", takes: "a text", title: about("Spellings of"), Content: SpellingsView },
]
