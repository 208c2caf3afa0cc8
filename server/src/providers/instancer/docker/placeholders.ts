import type { Expose, InstanceOrder } from '../instancer.ts'

/** Where an exposed port is reached, as the instance itself may read it. */
export interface ExposedHostname extends Expose {
  readonly host: string
  readonly port: number
}

/** What a team's instance is told: contract, admin 4.3. */
export function teamValues(
  flags: InstanceOrder['flags'],
  exposed: readonly ExposedHostname[],
): Readonly<Record<string, string>> {
  return {
    SVC_FLAG: flags[0]?.flag ?? '',
    SVC_FLAGS: JSON.stringify(flags.map(({ flag }) => flag)),
    SVC_EXPOSED_HOSTNAMES: JSON.stringify(
      exposed.map(({ kind, hostPrefix, host, port, containerName, containerPort, title }) => ({
        kind,
        hostPrefix,
        host,
        port,
        containerName,
        containerPort,
        ...(title === undefined ? {} : { title }),
      })),
    ),
  }
}

/** Longer names first, so that SVC_FLAG does not take the beginning of SVC_FLAGS. */
const PLACEHOLDER =
  /\$(?:\{(SVC_EXPOSED_HOSTNAMES|SVC_FLAGS|SVC_FLAG)\}|(SVC_EXPOSED_HOSTNAMES|SVC_FLAGS|SVC_FLAG)(?!\w))/g

/** Fills in `$X` and `${X}`; everything else stays as it is, other dollars too. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (_, braced?: string, bare?: string) => values[braced ?? bare ?? ''] ?? '')
}
