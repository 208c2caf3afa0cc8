import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Log } from '../../../../lib/log.ts'
import { ProviderError } from '../../../provider.ts'
import { engineCalls } from './engine-calls.ts'
import type { Host } from './hosts.ts'
import type { Options } from './options.ts'

/** Enough for a large image over a slow connection. */
const PULL_LIMIT_MS = 15 * MINUTE_MS
/** Concurrent pulls per host. */
const MAX_PULLS = 2

export interface Images {
  /**
   * Waits until the host has the image, and resolves to the paths that it declares as volumes. Rejects when
   * the image cannot be pulled, or on the signal, in which case the pull continues.
   */
  ensure(host: Host, image: string, signal: AbortSignal): Promise<readonly string[]>
  /** Aborts the running pulls. */
  close(): void
}

export function createImages(registries: Options['registries'], log: Log): Images {
  const closing = new AbortController()
  /** By host and image. */
  const pulls = new Map<string, Promise<readonly string[]>>()
  const busy = new Map<string, number>()

  function pull(host: Host, image: string): Promise<readonly string[]> {
    const key = `${host.name} ${image}`
    const under = pulls.get(key)
    if (under) return under
    if ((busy.get(host.name) ?? 0) >= MAX_PULLS)
      throw new ProviderError(`The image ${image} is queued for download. Try again in a minute.`)
    busy.set(host.name, (busy.get(host.name) ?? 0) + 1)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(PULL_LIMIT_MS)])
    const started = fetchImage(host, image, signal).finally(() => {
      pulls.delete(key)
      busy.set(host.name, (busy.get(host.name) ?? 1) - 1)
    })
    pulls.set(key, started)
    return started
  }

  async function fetchImage(host: Host, image: string, signal: AbortSignal): Promise<readonly string[]> {
    const calls = engineCalls(host.engine, signal)
    try {
      await calls.pullImage(image, credentialsFor(image, registries))
    } catch (cause) {
      log.warn({ host: host.name, image, err: cause }, 'could not pull an image')
    }
    // The engine may respond with 200 and report the failure in the progress stream.
    const volumes = await calls.volumesOfImage(image)
    if (volumes === null) throw new ProviderError(`The image ${image} could not be pulled.`)
    return volumes
  }

  return {
    async ensure(host, image, signal) {
      const volumes = await engineCalls(host.engine, signal).volumesOfImage(image)
      if (volumes !== null) return volumes
      const late = new Promise<never>((_, reject) => {
        const refuse = () =>
          reject(new ProviderError(`The image ${image} is being pulled. Try again in a minute.`))
        if (signal.aborted) refuse()
        else signal.addEventListener('abort', refuse, { once: true })
      })
      const work = pull(host, image)
      try {
        return await Promise.race([work, late])
      } finally {
        void Promise.allSettled([work, late])
      }
    },
    close: () => closing.abort(),
  }
}

/** The value of Docker's auth header, or null for a registry without credentials. */
function credentialsFor(image: string, registries: Options['registries']): string | null {
  const [first = ''] = image.split('/')
  const server = /[.:]|^localhost$/.test(first) && image.includes('/') ? first : 'docker.io'
  const known = Object.hasOwn(registries, server) ? registries[server] : undefined
  if (!known) return null
  const { username, password } = known
  return Buffer.from(JSON.stringify({ username, password, serveraddress: server })).toString('base64url')
}
