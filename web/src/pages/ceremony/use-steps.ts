import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { PACE } from './parameters.ts'

const FASTER = 0.8

/** What a key does; presenter remotes send page keys. */
const KEYS: Readonly<Record<string, Action>> = {
  ' ': 'next',
  Enter: 'next',
  ArrowRight: 'next',
  ArrowDown: 'next',
  PageDown: 'next',
  ArrowLeft: 'back',
  ArrowUp: 'back',
  PageUp: 'back',
  Backspace: 'back',
  Home: 'first',
  End: 'last',
  p: 'toggle',
  '+': 'faster',
  '-': 'slower',
  h: 'hide',
  f: 'screen',
}

type Action = 'next' | 'back' | 'first' | 'last' | 'toggle' | 'faster' | 'slower' | 'hide' | 'screen'

const MOVES: ReadonlySet<Action> = new Set(['next', 'back', 'first', 'last'])

/** Browsers may refuse; the page fills the window anyway. */
function toggleFullScreen(): void {
  // The next space is a step, not another press of the button.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen()
  void change.catch(() => {})
}

/** The step that is shown: moved by keys, by buttons, or automatically. */
export function useSteps(count: number, usualPace: number) {
  const [index, setIndex] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [pace, setPace] = useState(usualPace)
  const [isHidden, setHidden] = useState(false)
  const last = count - 1
  const go = (to: number) => setIndex(Math.min(Math.max(to, 0), last))
  const changePace = (factor: number) =>
    setPace((now) => Math.round(Math.min(PACE.most, Math.max(PACE.least, now * factor)) * 10) / 10)
  const actions: Readonly<Record<Action, () => void>> = {
    next: () => go(index + 1),
    back: () => go(index - 1),
    first: () => go(0),
    last: () => go(last),
    toggle: () => setPlaying(!isPlaying && index < last),
    faster: () => changePace(FASTER),
    slower: () => changePace(1 / FASTER),
    hide: () => setHidden(!isHidden),
    screen: toggleFullScreen,
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    // A focused button is pressed by these.
    const isOnButton = event.target instanceof HTMLButtonElement
    if (isOnButton && (event.key === ' ' || event.key === 'Enter')) return
    event.preventDefault()
    // Whoever presses a key wants to decide; a key that is held down would skip what no one has seen.
    if (MOVES.has(action)) setPlaying(false)
    if (!event.repeat) actions[action]()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  useEffect(() => {
    if (!isPlaying) return
    if (index >= last) return setPlaying(false)
    const timer = setTimeout(() => setIndex(index + 1), pace * SECOND_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, index, last, pace])
  return { index, isPlaying, pace, isHidden, actions }
}
