#!/bin/sh
# Keeps instances of challenges away from the machine that runs them and from private networks. Run it as root at each
# boot, on every machine of `instancers/docker`; running it again changes nothing. `firewall.sh remove` takes it back.
#
# The bridges of instances begin with pni (no way out) or pne (with a way to the internet), whatever the engine.
set -eu

CHAIN=PENNANT-INSTANCES
FORWARD=PENNANT-EGRESS
# Metadata services of clouds, private and shared networks: no instance has business there.
REFUSED='169.254.0.0/16 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10'

absent() { ! iptables -C "$@" 2>/dev/null; }

remove() {
  for bridge in pni+ pne+; do
    absent INPUT -i "$bridge" -j "$CHAIN" || iptables -D INPUT -i "$bridge" -j "$CHAIN"
    absent FORWARD -i "$bridge" -j "$FORWARD" || iptables -D FORWARD -i "$bridge" -j "$FORWARD"
  done
  for chain in "$CHAIN" "$FORWARD"; do
    iptables -F "$chain" 2>/dev/null || true
    iptables -X "$chain" 2>/dev/null || true
  done
}

install() {
  remove
  iptables -N "$CHAIN"
  iptables -N "$FORWARD"
  # Answers to what the machine itself began, such as the check of a port, may come back.
  iptables -A "$CHAIN" -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN
  # Names of the internet are looked up through the engine, for those who may go there.
  iptables -A "$CHAIN" -i pne+ -p udp --dport 53 -j RETURN
  iptables -A "$CHAIN" -j DROP
  iptables -A "$FORWARD" -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN
  # Services of one instance speak to each other: some machines show the firewall what stays on one bridge, too.
  iptables -A "$FORWARD" -m physdev --physdev-is-bridged -j RETURN
  for range in $REFUSED; do iptables -A "$FORWARD" -d "$range" -j DROP; done
  for bridge in pni+ pne+; do iptables -I INPUT -i "$bridge" -j "$CHAIN"; done
  for bridge in pni+ pne+; do iptables -I FORWARD -i "$bridge" -j "$FORWARD"; done
}

case "${1:-install}" in
  install) install ;;
  remove) remove ;;
  *) echo "usage: $0 [install|remove]" >&2; exit 2 ;;
esac
