import { describe, expect, it } from "vitest";

import { openNetworks } from "./networks.ts";

const isCloud = openNetworks();

describe("the network of an address", () => {
  // Published by the clouds themselves: ip-ranges.amazonaws.com, gstatic.com/ipranges/cloud.json.
  it.each([
    ["3.5.140.2", "Amazon S3, Seoul"],
    ["52.94.76.10", "Amazon EC2"],
    ["::ffff:52.94.76.10", "the same, as IPv6 sockets show it"],
    ["34.80.0.1", "Google Cloud, Taiwan"],
    ["20.42.0.1", "Microsoft Azure"],
    ["159.65.1.1", "DigitalOcean"],
    ["2a01:4f8::1", "Hetzner"],
    ["2600:1f18::1", "Amazon EC2, IPv6"],
  ])("%s is a cloud: %s", (address) => {
    expect(isCloud(address)).toBe(true);
  });

  it.each([
    ["84.108.1.1", "a home in Israel (Hot)"],
    ["79.176.1.1", "a home in Israel (Bezeq)"],
    ["73.1.2.3", "a home in the United States (Comcast)"],
    ["172.224.226.1", "Apple's private relay (Akamai)"],
    ["104.28.1.1", "Apple's private relay, WARP (Cloudflare)"],
    ["146.70.1.1", "a VPN (M247)"],
    ["165.225.1.1", "a company's gateway (Zscaler)"],
    ["127.0.0.1", "this machine"],
    ["::1", "this machine"],
    ["fe80::1%eth0", "a link"],
    ["", "nothing"],
  ])("%s is not: %s", (address) => {
    expect(isCloud(address)).toBe(false);
  });
});
