// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A token as USDT on BNB Smart Chain looks from outside: 18 decimals, the standard calls and events, and an owner
/// who mints. For the local chain of the demo world and of tests; nothing of it is meant for a public chain.
contract DemoUsdt {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 18;

    address public immutable owner;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// The first balances, which raise no event.
    constructor(address[] memory holders, uint256[] memory values) {
        owner = msg.sender;
        for (uint256 i = 0; i < holders.length; i++) {
            totalSupply += values[i];
            balanceOf[holders[i]] += values[i];
        }
    }

    function mint(address to, uint256 value) external returns (bool) {
        require(msg.sender == owner, "only the owner mints");
        require(to != address(0), "the zero address holds nothing");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "not allowed that much");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "the zero address holds nothing");
        require(balanceOf[from] >= value, "not that much there");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
