import type { goodInstancerSchema, InstanceState } from '@pennant/contract/instances.ts'
import type { z } from 'zod'
import type { Instancers } from '../../../providers/instancer/registry.ts'
import type { QueuedDetails } from './start-instance.ts'
import { namedEndpoints } from './rules.ts'
import type { InstanceSettings } from './settings.ts'

/** The state for the team: only endpoints to be displayed. */
export function instanceState(
  { status, timeLeftMs, endpoints, restarts, queuePosition }: QueuedDetails,
  { expose }: InstanceSettings,
): z.input<typeof InstanceState> {
  const displayed = namedEndpoints(endpoints, expose).filter((_, index) => expose[index]?.shouldDisplay)
  return {
    status,
    timeLeftMilliseconds: timeLeftMs,
    endpoints: displayed,
    ...(restarts !== undefined && { restarts }),
    ...(queuePosition !== undefined && { queuePosition }),
  }
}

/** The default instancer's schema is repeated at the top level, for clients that only know one instancer. */
export function instancerSchema(
  instancers: Instancers,
): z.input<NonNullable<(typeof goodInstancerSchema)['data']>> {
  const forms = instancers.describe().map(({ name, schema, defaults, canStop, canExtend }) => {
    return { name, schema: { ...schema }, defaults: { ...defaults }, canStop, canExtend }
  })
  const [first] = forms
  return {
    schema: first?.schema ?? {},
    defaults: first?.defaults ?? {},
    defaultInstancer: instancers.defaultName,
    instancers: forms,
  }
}
