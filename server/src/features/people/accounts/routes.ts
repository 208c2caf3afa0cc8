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
import { declarationRefusals } from '../tracks/refusals.ts'
import { registrationProblem } from '../tracks/rules.ts'

interface Created {
  readonly created: string
  readonly isLocal?: boolean
}

export function accountRoutes(deps: AccountDeps): Endpoint[] {
  const context: AccountContext = {
    ...deps,
    store: createAccountStore(deps.db),
    verifyTokens: createVerifyTokens(deps),
  }
  const { tokens, localSessionLifeMs } = deps
  // The first admin has no person yet who could have a second factor.
  const authTokenOf = ({ created, isLocal = false }: Created) =>
    isLocal && deps.demandsSecondFactor
      ? tokens.issueLocal(created, localSessionLifeMs)
      : tokens.issueAuth(created)
  const signedV1 = (made: Created) => contract.goodRegister({ authToken: authTokenOf(made) })
  const signedV2 = (made: Created) =>
    contract.goodRegisterV2({ authToken: authTokenOf(made), teamToken: tokens.issueTeam(made.created) })

  return [
    on(contract.registerV1, async ({ body, ip }) => {
      const outcome = await register(context, body, ip)
      return 'created' in outcome ? signedV1(outcome) : outcome
    }),

    on(contract.registerV2, async ({ body, ip }) => {
      const problem = registrationProblem(deps.world().settings, body.declared ?? null)
      if (problem) return declarationRefusals[problem]()
      const outcome = await register(context, body, ip)
      return 'created' in outcome ? signedV2(outcome) : outcome
    }),

    on(contract.verifyV1, async ({ body }) => {
      const outcome = await verify(context, body.verifyToken)
      return 'created' in outcome ? signedV1(outcome) : outcome
    }),

    on(contract.verifyV2, async ({ body }) => {
      const outcome = await verify(context, body.verifyToken)
      return 'created' in outcome ? signedV2(outcome) : outcome
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
