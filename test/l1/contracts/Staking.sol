// SPDX-License-Identifier: BSD-3-Clause
pragma solidity 0.8.28;

struct WarpMessage {
    bytes32 sourceChainID;
    address originSender;
    bytes payload;
}

interface IWarp {
    function sendWarpMessage(bytes calldata payload) external returns (bytes32);
    function getVerifiedWarpMessage(uint32 index) external view returns (WarpMessage memory message, bool valid);
    function getBlockchainID() external view returns (bytes32);
}

/// The smallest manager of an L1 that stakes: it registers validators, takes proofs of their uptime, pays rewards, and removes them.
contract Staking {
    IWarp constant WARP = IWarp(0x0200000000000000000000000000000000000005);
    uint256 constant MINIMUM = 14 days;
    uint256 constant REWARD = 1 ether;

    struct Stake {
        address payable owner;
        uint256 amount;
        uint256 start;
        uint64 uptime;
    }

    mapping(bytes32 => Stake) public stakes;

    /// It holds the rewards.
    constructor() payable {}

    /// Sends the message that registers a validator. Its ID is the hash of the message.
    function register(bytes calldata message) external payable {
        stakes[sha256(message)] = Stake(payable(msg.sender), msg.value, 0, 0);
        WARP.sendWarpMessage(message);
    }

    /// Takes the P-Chain's answer that the validator is registered.
    function complete(uint32 index) external {
        bytes memory message = read(index, bytes32(0), 39);
        require(message[38] != 0, "not registered");
        stakes[idIn(message)].start = block.timestamp;
    }

    /// Takes the validators' word for the seconds that a validator was online.
    function proveUptime(uint32 index) external {
        bytes memory message = read(index, WARP.getBlockchainID(), 46);
        uint64 uptime;
        for (uint256 i = 38; i < 46; i++) uptime = (uptime << 8) | uint8(message[i]);
        stakes[idIn(message)].uptime = uptime;
    }

    /// Sends the message that removes a validator, and pays the stake back, with the reward if it was online for four fifths of the time.
    function end(bytes32 id, bytes calldata message) external {
        Stake memory stake = stakes[id];
        uint256 time = block.timestamp - stake.start;
        require(stake.start != 0 && time >= MINIMUM, "too early");
        delete stakes[id];
        WARP.sendWarpMessage(message);
        stake.owner.transfer(stake.amount + (uint256(stake.uptime) * 5 >= time * 4 ? REWARD : 0));
    }

    function read(uint32 index, bytes32 source, uint256 length) private view returns (bytes memory) {
        (WarpMessage memory message, bool valid) = WARP.getVerifiedWarpMessage(index);
        require(valid && message.sourceChainID == source && message.originSender == address(0), "not signed");
        require(message.payload.length == length, "another message");
        return message.payload;
    }

    /// The ID follows two bytes of version and four of type.
    function idIn(bytes memory message) private pure returns (bytes32 id) {
        assembly {
            id := mload(add(message, 38))
        }
    }
}
