import * as contract from '@pennant/contract/accounts.ts'
import { signOutEverywhere } from '@pennant/contract/teams.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { AccountContext, AccountDeps } from './deps.ts'
import { emailRoutes } from './email-routes.ts'
import { login } from './login.ts'
import { recover } from './recover.ts'
import { register } from './register.ts'
import { signOutOwnTeam } from './sign-out.ts'
import { createAccountStore } from './store.ts'
import { createVerifyTokens } from './verify-tokens.ts'
import { readInfo, verify } from './verify.ts'

export function accountRoutes(deps: AccountDeps): Endpoint[] {
  const context: AccountContext = {
    ...deps,
    store: createAccountStore(deps.db),
    verifyTokens: createVerifyTokens(deps),
  }
  const { issueAuth, issueTeam } = deps.tokens
  const signedV1 = (teamId: string) => contract.goodRegister({ authToken: issueAuth(teamId) })
  const signedV2 = (teamId: string) =>
    contract.goodRegisterV2({ authToken: issueAuth(teamId), teamToken: issueTeam(teamId) })

  return [
    on(contract.registerV1, async ({ body, ip }) => {
      const outcome = await register(context, body, ip)
      return 'created' in outcome ? signedV1(outcome.created) : outcome
    }),

    on(contract.registerV2, async ({ body, ip }) => {
      const outcome = await register(context, body, ip)
      return 'created' in outcome ? signedV2(outcome.created) : outcome
    }),

    on(contract.verifyV1, async ({ body }) => {
      const outcome = await verify(context, body.verifyToken)
      return 'created' in outcome ? signedV1(outcome.created) : outcome
    }),

    on(contract.verifyV2, async ({ body }) => {
      const outcome = await verify(context, body.verifyToken)
      return 'created' in outcome ? signedV2(outcome.created) : outcome
    }),

    on(contract.readVerifyInfo, ({ query }) => readInfo(context, query.token)),
    on(contract.askVerifyInfo, ({ body }) => readInfo(context, body.token)),
    on(contract.recoverV1, ({ body, ip }) => recover(context, body.email, ip)),
    on(contract.recoverV2, ({ body, ip }) => recover(context, body.email, ip)),
    on(contract.login, ({ body }) => login(context, body)),
    on(contract.testToken, () => contract.goodToken()),
    on(signOutEverywhere, ({ team }) => signOutOwnTeam(context, team)),
    ...emailRoutes(context),
  ]
}
