import type { Expose, InstanceOrder } from './instancer.ts'

/** The host name of an exposed port, as the instance itself may read it. */
export interface ExposedHostname extends Expose {
  readonly host: string
  readonly port: number
}

/** The values that a team's instance receives: docs/reference/providers.md#values-for-instances */
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

/**
 * `RCTF_` is the prefix in challenges written for rCTF. Longer names first, or SVC_FLAG would match
 * SVC_FLAGS.
 */
const PLACEHOLDER =
  /\$(?:\{(?:SVC|RCTF)_(EXPOSED_HOSTNAMES|FLAGS|FLAG)\}|(?:SVC|RCTF)_(EXPOSED_HOSTNAMES|FLAGS|FLAG)(?!\w))/g

/** Replaces `$X` and `${X}` for known names; leaves everything else, including other dollar signs. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    PLACEHOLDER,
    (_, braced?: string, bare?: string) => values[`SVC_${braced ?? bare ?? ''}`] ?? '',
  )
}
