import type { Log } from '../../../lib/log.ts'
import { ProviderError } from '../../provider.ts'
import { engineCalls } from './engine-calls.ts'
import type { Host } from './hosts.ts'
import type { Options } from './options.ts'

/** A large image on a slow line. */
const PULL_LIMIT_MS = 15 * 60_000
/** Pulls at one host at once. */
const MAX_PULLS = 2

export interface Images {
  /** Waits until the host has the image. Rejects when it cannot be had, or with the signal; then the pull goes on. */
  ensure(host: Host, image: string, signal: AbortSignal): Promise<void>
  /** Ends the pulls under way. */
  close(): void
}

export function createImages(registries: Options['registries'], log: Log): Images {
  const closing = new AbortController()
  /** By host and image. */
  const pulls = new Map<string, Promise<void>>()
  const busy = new Map<string, number>()

  function pull(host: Host, image: string): Promise<void> {
    const key = `${host.name} ${image}`
    const under = pulls.get(key)
    if (under) return under
    if ((busy.get(host.name) ?? 0) >= MAX_PULLS)
      throw new ProviderError(`The image ${image} waits to be fetched. Try again in a minute.`)
    busy.set(host.name, (busy.get(host.name) ?? 0) + 1)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(PULL_LIMIT_MS)])
    const started = fetchImage(host, image, signal).finally(() => {
      pulls.delete(key)
      busy.set(host.name, (busy.get(host.name) ?? 1) - 1)
    })
    pulls.set(key, started)
    return started
  }

  async function fetchImage(host: Host, image: string, signal: AbortSignal): Promise<void> {
    const calls = engineCalls(host.engine, signal)
    try {
      await calls.pullImage(image, credentialsFor(image, registries))
    } catch (cause) {
      log.warn({ host: host.name, image, err: cause }, 'an image could not be pulled')
    }
    // The engine may answer well, and tell of the failure in the stream of its progress.
    if (!(await calls.hasImage(image)))
      throw new ProviderError(`The image ${image} is not there and could not be pulled.`)
  }

  return {
    async ensure(host, image, signal) {
      if (await engineCalls(host.engine, signal).hasImage(image)) return
      const late = new Promise<never>((_, reject) => {
        const refuse = () =>
          reject(new ProviderError(`The image ${image} is being fetched. Try again in a minute.`))
        if (signal.aborted) refuse()
        else signal.addEventListener('abort', refuse, { once: true })
      })
      const work = pull(host, image)
      try {
        await Promise.race([work, late])
      } finally {
        void Promise.allSettled([work, late])
      }
    },
    close: () => closing.abort(),
  }
}

/** What Docker's header carries, or null for a registry without credentials. */
function credentialsFor(image: string, registries: Options['registries']): string | null {
  const [first = ''] = image.split('/')
  const server = /[.:]|^localhost$/.test(first) && image.includes('/') ? first : 'docker.io'
  const known = Object.hasOwn(registries, server) ? registries[server] : undefined
  if (!known) return null
  const { username, password } = known
  return Buffer.from(JSON.stringify({ username, password, serveraddress: server })).toString('base64url')
}
