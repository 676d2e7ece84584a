import { EMPTY_ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { bool, described, list, optional } from "../../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { addressOutput, hex, id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { ownerOutput } from "../owners.js"
import { controlOf, ownerWithoutControl, subnetOf } from "./subnets.js"

export const getSubnet = method({
  name: "platform.getSubnet",
  summary: "Returns the owner of a subnet, and whether the subnet was opened to stakers or converted to an L1.",
  params: object({ subnetID: described(id, "The ID of the subnet.") }),
  result: object({
    isPermissioned: described(bool, "Whether only the owner can add and remove validators."),
    controlKeys: list(addressOutput),
    threshold: u32Text,
    locktime: described(u64, "The time in Unix seconds until which the owner is locked."),
    subnetTransformationTxID: id,
    conversionID: id,
    managerChainID: id,
    managerAddress: nullable(hex),
    owner: optional(
      described(ownerOutput, "The owner that still signs for the subnet; present only if the subnet is not permissioned."),
    ),
  }),
  lifetime: ofState,
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

  async handler({ subnetID }, context, { pace }) {
    if (subnetID === PRIMARY_NETWORK_ID) throw platformError("platform.primary_network")
    const facts = await subnetOf(context, subnetID, pace)
    if (!facts) throw platformError("platform.unknown_subnet", { subnetID: idText(subnetID), reference: "not found" })
    const { owner, transformationTxID, conversion } = facts
    const isPermissioned = transformationTxID === undefined && conversion === undefined
    return {
      isPermissioned,
      ...controlOf(facts, isPermissioned || context.dialect === "avalanchego"),
      locktime: owner.locktime,
      subnetTransformationTxID: transformationTxID ?? EMPTY_ID,
      conversionID: conversion?.conversionID ?? EMPTY_ID,
      managerChainID: conversion?.chainID ?? EMPTY_ID,
      managerAddress: conversion?.address ?? null,
      ...ownerWithoutControl(facts, context),
    }
  },
})
