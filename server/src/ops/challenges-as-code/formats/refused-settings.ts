import { isMap } from './translation.ts'

const NOT_ALLOWED = 'is not allowed for instances: remove it, or set up the challenge on the site'

const isTrue = (value: unknown) => /^(?:true|yes|on)$/i.test(String(value))
const isSet = (value: unknown) =>
  isMap(value) || Array.isArray(value)
    ? Object.keys(value).length > 0
    : !/^(?:|~|null|undefined)$/i.test(String(value))

/** Settings that give a container access to the machine or to other teams, wherever they are below a container. */
const REFUSED: Readonly<Record<string, (value: unknown) => boolean>> = {
  privileged: isTrue,
  hostNetwork: isTrue,
  hostPID: isTrue,
  hostIPC: isTrue,
  hostPath: isSet,
  seccompProfile: isSet,
  capabilities: (value) => isSet(isMap(value) ? value['add'] : value),
  seccomp: isSet,
  devices: isSet,
  cap_add: isSet,
  volumes: isSet,
  volumeMounts: isSet,
  replicas: (value) => Number(value) > 1,
}

/** Maps whose names are the author's. */
const FREE_NAMES = ['environment', 'env']

/** The paths of refused settings in a part of a document whose scalars are texts. */
export function refusedIn(value: unknown, at: string): { field: string; message: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const field = `${at}.${key}`
    if (FREE_NAMES.includes(key)) return []
    if (!REFUSED[key]?.(inner)) return refusedIn(inner, field)
    return [{ field: key === 'capabilities' && isMap(inner) ? `${field}.add` : field, message: NOT_ALLOWED }]
  })
}
