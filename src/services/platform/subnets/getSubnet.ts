import { toHexText } from "../../../core/types/hexText.js"
import { EMPTY_ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { platformError } from "../errors.js"
import { ownerAnswer } from "../owners.js"
import { controlOf, ownerBeside, subnetOf } from "./subnets.js"

export const getSubnet = method({
  name: "platform.getSubnet",
  summary: "Who may change a subnet, and what became of it: opened to stakers, or converted to an L1.",
  params: object({ subnetID: id }),
  result: answer.object({
    isPermissioned: answer.described(answer.bool, "whether its owner alone decides about validators"),
    controlKeys: answer.list(answer.address),
    threshold: answer.digits,
    locktime: answer.described(answer.digits, "Unix seconds"),
    subnetTransformationTxID: answer.id,
    conversionID: answer.id,
    managerChainID: answer.id,
    managerAddress: answer.nullable(answer.hex),
    owner: answer.optional(answer.described(ownerAnswer, "of a subnet that is not permissioned: who still signs for it")),
  }),
  examples: [
    {
      title: "a permissioned subnet",
      params: { subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
      result: {
        isPermissioned: true,
        controlKeys: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
        threshold: "1",
        locktime: "0",
        subnetTransformationTxID: "11111111111111111111111111111111LpoYY",
        conversionID: "11111111111111111111111111111111LpoYY",
        managerChainID: "11111111111111111111111111111111LpoYY",
        managerAddress: null,
      },
    },
    {
      title: "an L1",
      params: { subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR" },
      result: {
        isPermissioned: false,
        controlKeys: [],
        threshold: "0",
        locktime: "0",
        subnetTransformationTxID: "11111111111111111111111111111111LpoYY",
        conversionID: "W6smrRvbDPU4c2ZUhHPACpV8TSKoYRHjsxCj5erkRWa6dhtT7",
        managerChainID: "ucci5R4jT3GFUL6CpjWgcZZX9wEjG5NJJPFLXDfWLWq8aNUsS",
        managerAddress: "0xc0ffee",
        owner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
      },
    },
  ],

  handler({ subnetID }, context) {
    if (subnetID === PRIMARY_NETWORK_ID) throw platformError("platform.primary_network")
    const facts = subnetOf(context.view, subnetID)
    if (!facts) throw platformError("platform.unknown_subnet", { subnetID: idText(subnetID), reference: "not found" })
    const { owner, transformationTxID, conversion } = facts
    const isPermissioned = transformationTxID === undefined && conversion === undefined
    return {
      isPermissioned,
      ...controlOf(facts, isPermissioned || context.dialect === "avalanchego", context),
      locktime: owner.locktime.toString(),
      subnetTransformationTxID: idText(transformationTxID ?? EMPTY_ID),
      conversionID: idText(conversion?.conversionID ?? EMPTY_ID),
      managerChainID: idText(conversion?.chainID ?? EMPTY_ID),
      managerAddress: conversion ? toHexText(conversion.address, "hexnc") : null,
      ...ownerBeside(facts, context),
    }
  },
})
