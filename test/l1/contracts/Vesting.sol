// SPDX-License-Identifier: BSD-3-Clause
pragma solidity 0.8.28;

/// Pays what it holds to its beneficiary once a time is over.
contract Vesting {
    address payable public immutable beneficiary;
    uint256 public immutable end;

    constructor(address payable beneficiary_, uint256 end_) payable {
        beneficiary = beneficiary_;
        end = end_;
    }

    /// Tells what a call without a transaction sees: the time of the latest block.
    function isOver() external view returns (bool) {
        return block.timestamp >= end;
    }

    function release() external {
        require(block.timestamp >= end, "not yet");
        beneficiary.transfer(address(this).balance);
    }
}
