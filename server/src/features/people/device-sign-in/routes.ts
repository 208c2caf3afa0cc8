import { apiTokenLimits, badApiTokenCount } from '@pennant/contract/api-tokens.ts'
import * as contract from '@pennant/contract/device-sign-in.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { badBody, badToken } from '@pennant/contract/replies.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import type { Markers } from '../../../lib/key-value.ts'
import { secretHash } from '../../../lib/secret-hash.ts'
import { storeTokenOf, type CreationDeps } from '../api-tokens/creation.ts'
import { isApiToken, newApiToken } from '../api-tokens/secret.ts'
import { revokeByHash } from '../api-tokens/store.ts'
import { createRequests } from './requests.ts'

export interface DeviceSignInDeps extends CreationDeps {
  readonly markers: Markers
  readonly limiter: Limiter
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Of a new token, in milliseconds; null without a limit. */
  readonly maxLifetimeMs: number | null
}

type Requests = ReturnType<typeof createRequests>

/** Of a token, where the configuration allows it. */
const LIFE_MS = 90 * DAY_MS

/**
 * Sign-in of programs (RFC 8628, with responses of this API). The secret that a program gets at the beginning becomes its API
 * token when a person confirms, so that no secret has to be stored for the program to fetch.
 */
export function deviceSignInRoutes(deps: DeviceSignInDeps): Endpoint[] {
  const requests = createRequests(deps.markers, deps.now)
  return [...programRoutes(deps, requests), ...personRoutes(deps, requests)]
}

function programRoutes({ db, world, now, limiter, origin }: DeviceSignInDeps, requests: Requests) {
  return [
    on(contract.startDeviceSignIn, async ({ body: { name, scopes }, ip }) => {
      const deviceCode = newApiToken()
      const requestedAt = now()
      const userCode = await requests.add({
        hash: secretHash(deviceCode).toString('hex'),
        name,
        scopes,
        ip,
        requestedAt,
      })
      return contract.goodDeviceStart({
        deviceCode,
        userCode,
        url: `${origin}/device`,
        expiresAt: requestedAt + contract.deviceTimes.lifeMs,
        intervalMs: contract.deviceTimes.intervalMs,
      })
    }),

    on(contract.pollDeviceSignIn, async ({ body: { deviceCode } }) => {
      if (!isApiToken(deviceCode)) return contract.badDeviceCode()
      const hash = secretHash(deviceCode).toString('hex')
      const refusal = await limiter.take('devicePolls', hash)
      if (refusal) return refusal
      const state = await requests.findState(hash)
      return state ? contract.goodDeviceState(state) : contract.badDeviceCode()
    }),

    on(contract.endDeviceToken, async ({ body: { token }, ip }) => {
      if (isApiToken(token))
        await revokeByHash(db, secretHash(token), (teamId) =>
          (world().team(teamId)?.perms ?? 0) > 0 ? { actorId: teamId, ip } : null,
        )
      return contract.goodDeviceEnd()
    }),
  ]
}

function personRoutes(deps: DeviceSignInDeps, requests: Requests): Endpoint[] {
  const { now, maxLifetimeMs } = deps
  const endOfToken = () => now() + Math.min(LIFE_MS, maxLifetimeMs ?? LIFE_MS)
  return [
    on(contract.readDeviceRequest, async ({ body: { userCode }, ip }) => {
      const request = await requests.find(userCode)
      if (!request) return contract.badDeviceCode()
      const { name, scopes, requestedAt } = request
      const isSameAddress = request.ip === ip
      return contract.goodDeviceRequest({
        userCode,
        name,
        ip: request.ip,
        isSameAddress,
        scopes,
        requestedAt,
        tokenExpiresAt: endOfToken(),
      })
    }),

    on(contract.confirmDeviceRequest, async ({ body: { userCode, scopes }, team, ip }) => {
      const found = await requests.find(userCode)
      if (!found) return contract.badDeviceCode()
      const extra = scopes.filter((scope) => !found.scopes.includes(scope))
      if (extra.length > 0) return badBody({ reason: 'body:scopes: the program did not ask for all of them' })
      const request = await requests.take(userCode)
      if (!request) return contract.badDeviceCode()
      const { name } = request
      const expiresAt = endOfToken()
      const hash = Buffer.from(request.hash, 'hex')
      const wanted = { name, scopes: scopes as readonly Scope[], expiresAt, hash }
      const made = await storeTokenOf(deps, { team, ip }, wanted)
      if (made === null || made === 'full') {
        await requests.putBack(userCode, request)
        return made === null ? badToken() : badApiTokenCount({ max: apiTokenLimits.stored })
      }
      const granted = { name, scopes, expiresAt }
      await requests.setState(request, { state: 'confirmed', granted })
      return contract.goodDeviceConfirm(granted)
    }),

    on(contract.denyDeviceRequest, async ({ body: { userCode } }) => {
      const request = await requests.take(userCode)
      if (!request) return contract.badDeviceCode()
      await requests.setState(request, { state: 'denied', granted: null })
      return contract.goodDeviceDeny()
    }),
  ]
}
