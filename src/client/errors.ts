import { refusals } from "../core/lib/invalid.js"

export const clientError = refusals({
  "client.bad_address": "the text is not the address of a node",
  "client.no_c_chain": "the node has no C-Chain that answers",
  "client.refused_by_c_chain": "the C-Chain refused a call",
  "client.transfer_waits":
    "a transaction of the transfer was not accepted within a minute; what is exported waits on the other chain",
  "client.amount_too_small": "the amount is not more than the fee of the import",
  "client.tx_file_form": "this is not a transaction file of a version that Serac reads",
  "client.unsigned_kind": "nobody signs transactions of this kind",
  "client.wrong_utxo": "a UTXO of the file is not the one that the input spends",
  "client.other_signers": "the signers of the file are not those that the UTXOs name, or that another file names",
  "client.wrong_signature": "a signature is not by its signer, or not of this transaction",
  "client.not_a_signer": "the key is none of the signers of this transaction",
  "client.other_transaction": "the files are not of the same transaction",
  "client.missing_signatures": "signatures are missing",
  "client.other_network": "the transaction is for another network than that of the node",
  "client.only_avax": "Serac chooses UTXOs and change for AVAX alone; this transaction also needs another asset",
  "client.too_few_signers": "fewer of the owners sign than must",
  "client.nothing_to_import": "nothing waits to be imported for these signers",
  "client.inputs_given": "the inputs are chosen: leave them out",
})
