import { useDebouncedValue as useDebouncedState } from '@mantine/hooks'

/** The value as of the last pause of `delayMs` without a change. */
export function useDebouncedValue<Value>(value: Value, delayMs: number): Value {
  const [debounced] = useDebouncedState(value, delayMs)
  return debounced
}
