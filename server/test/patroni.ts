import { parse, stringify } from 'yaml'

export interface PatroniNode {
  readonly name: string
  readonly restAddress: string
  readonly address: string
  readonly etcdAddress: string
  readonly data: string
  readonly bin: string
}

/** The configuration of an example for a node on this machine, which trusts its users. */
export function localPatroni(example: string, node: PatroniNode): string {
  const configuration = parse(example) as { readonly postgresql: object }
  return stringify({
    ...configuration,
    name: node.name,
    restapi: { listen: node.restAddress, connect_address: node.restAddress },
    etcd: { hosts: node.etcdAddress },
    postgresql: {
      ...configuration.postgresql,
      listen: node.address,
      connect_address: node.address,
      data_dir: node.data,
      bin_dir: node.bin,
      pgpass: `${node.data}.pgpass`,
      parameters: { unix_socket_directories: '', log_min_messages: 'panic' },
      pg_hba: ['host replication all 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 trust'],
    },
  })
}
