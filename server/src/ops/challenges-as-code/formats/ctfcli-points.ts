import { ctfdLinear, ctfdLogarithmic, curveMessage } from './curves.ts'
import { assumePoints } from './rcds-project.ts'
import type { Reader } from './reader.ts'

export interface CtfdChallenge {
  readonly reader: Reader
  /** The map `extra`, whose keys win over those at the top. */
  readonly extra: Reader
  readonly type: string
}

/** Points of all types, those of plugins included: an initial value wins over `value`. */
export function pointsOf(challenge: CtfdChallenge) {
  const { reader, extra, type } = challenge
  const numbers = numbersOf(challenge)
  const { value, initial, minimum, decay, formula } = numbers
  const isConstant = type === 'standard' && formula === 'static'
  const max = isConstant ? (value ?? initial) : (initial ?? value)
  if (max === undefined && !reader.has('value') && !extra.has('initial')) {
    // The event's own program fills in the points of documents with these keys.
    if (reader.has('hosting') || reader.has('hosting_type'))
      return assumePoints(reader, 'another program fills it in')
    reader.report(type === 'dynamic' ? 'extra.initial' : 'value', 'is missing')
  }
  const isStatic = !isFalling(challenge, numbers)
  if (isStatic && decay > 0 && minimum === undefined)
    reader.warn('extra.decay', 'changes nothing without minimum: the points stay')
  if (max === undefined || isStatic)
    return { points: { min: max ?? 0, max: max ?? 0 }, scoring: { kind: 'static' } }
  const bounds = { min: minimum ?? 0, max }
  if (bounds.min < max) {
    const curve = (formula === 'linear' ? ctfdLinear : ctfdLogarithmic)(bounds, decay)
    reader.warn(numbers.isAtTop ? 'decay' : 'extra', curveMessage('CTFd', bounds, curve), {
      reason: 'points',
    })
  }
  return { points: bounds, scoring: { kind: 'decay' } }
}

/** What a plugin takes if it has its own names for the bounds and one of them is missing. */
const OF_CONTAINER = { initial: 500, minimum: 100, decay: 20 }

type Name = keyof typeof OF_CONTAINER

function numbersOf({ reader, extra, type }: CtfdChallenge) {
  const isPrefixed = Object.keys(OF_CONTAINER).some((name) => extra.has(`container_${name}`))
  const numberOf = (name: Name) => {
    const [own, prefixed] = [extra.integer(name), extra.integer(`container_${name}`)]
    return own ?? prefixed ?? (isPrefixed ? OF_CONTAINER[name] : undefined)
  }
  const initial = numberOf('initial')
  // A fork of 2020 has them there, and `value` as the initial points.
  const isAtTop = type === 'dynamic' && initial === undefined
  const top = (name: Name) => (isAtTop ? reader.integer(name) : undefined)
  const [above, below] = [extra.integer('value'), reader.integer('value')]
  const [ofCtfd, ofPlugin] = [extra.string('function'), extra.string('decay_function')]
  return {
    value: above ?? below,
    initial,
    minimum: numberOf('minimum') ?? top('minimum'),
    decay: numberOf('decay') ?? top('decay') ?? 0,
    formula: ofCtfd ?? ofPlugin,
    isAtTop,
  }
}

/** The minimum of these types is 0 if it is not given. */
const FALLING: readonly string[] = ['dynamic', 'dynamic_iac']

function isFalling({ reader, extra, type }: CtfdChallenge, numbers: ReturnType<typeof numbersOf>): boolean {
  const { initial, minimum, decay, formula, isAtTop } = numbers
  // A switch of the plugins that start containers with Docker.
  const isOn = extra.string('dynamic_score')
  if (type === 'dynamic_docker' || isOn !== undefined) return isOn === '1' || isOn === 'true'
  if (type === 'standard') {
    const isDecaying = formula === 'linear' || formula === 'logarithmic'
    if (isDecaying && minimum === undefined) reader.report('extra.minimum', 'is missing')
    return formula === undefined ? initial !== undefined && minimum !== undefined : isDecaying
  }
  if (isAtTop) return minimum !== undefined || decay > 0
  return minimum !== undefined || FALLING.includes(type)
}
