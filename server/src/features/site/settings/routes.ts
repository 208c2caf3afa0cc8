import * as contract from '@pennant/contract/admin-settings.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { SettingsOverrides, WorldView } from '../../../world/model.ts'
import { registrationRules, registrationWarnings } from './registration-rules.ts'
import { visibilityWarnings } from '../../contest/visibility/rules.ts'
import { effectiveSettings, timeWarnings, type EventSettings } from './rules.ts'
import { updateOverrides } from './store.ts'
import { defaultsView, overridesView } from './views.ts'

export interface SettingsDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly settingsDefaults: EventSettings
}

export function settingsRoutes({ db, world, settingsDefaults }: SettingsDeps): Endpoint[] {
  const both = (overrides: SettingsOverrides) => {
    const event = effectiveSettings(settingsDefaults, overrides)
    const warnings = [
      ...timeWarnings(event),
      ...registrationWarnings(registrationRules(settingsDefaults, overrides)),
      ...visibilityWarnings(event.visibility, overrides.statisticsPublic === true),
    ]
    return {
      overrides: overridesView(overrides),
      defaults: defaultsView(settingsDefaults),
      ...(warnings.length > 0 && { warnings }),
    }
  }
  return [
    on(contract.readSettings, () => contract.goodAdminSettings(both(world().settings))),

    on(contract.updateSettings, async ({ body: { data, deletedAnswers = 0 }, team: { id: actorId }, ip }) => {
      const edit = { patch: data, actorId, ip, defaults: settingsDefaults, deletedAnswers }
      const saved = await updateOverrides(db, edit)
      if ('misfit' in saved) return contract.badEligibilityField(saved.misfit)
      if ('unfitting' in saved) return contract.badFieldChange(saved)
      return contract.goodAdminSettingsUpdate(both(saved))
    }),
  ]
}
