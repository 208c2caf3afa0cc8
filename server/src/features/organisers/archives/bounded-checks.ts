import type { AdminBotChecks } from '../../contest/challenges/edit-checks.ts'
import type { PlanDeps } from './plan.ts'

/** An unreachable worker answers each check after its timeout: the rest is not checked. */
const MAX_BOT_ERRORS = 3

/** A slow pattern takes a timeout to be refused, and an archive may have thousands: the rest is not checked. */
const MAX_FLAG_PROBLEMS = 50

export function checkingSome(flags: PlanDeps['flags']): PlanDeps['flags'] {
  let problems = 0
  return {
    async check(entry) {
      if (problems >= MAX_FLAG_PROBLEMS)
        return { problem: `Not checked, because ${problems} other flags have problems.` }
      const checked = await flags.check(entry)
      if ('problem' in checked) problems++
      return checked
    },
  }
}

/** Checks each code once, also when the plan is made again. */
export function checkingOnce(adminBot: AdminBotChecks | null): AdminBotChecks | null {
  if (!adminBot) return null
  const known = new Map<string, Awaited<ReturnType<AdminBotChecks['derive']>>>()
  let errors = 0
  return {
    async derive(code) {
      const before = known.get(code)
      if (before) return before
      if (errors >= MAX_BOT_ERRORS) return { error: `Not checked, because ${errors} others were refused.` }
      const result = await adminBot.derive(code)
      if ('error' in result) errors++
      known.set(code, result)
      return result
    },
  }
}
