import { createContext, use, useEffect } from 'react'

type NoteUnsaved = (section: string, isDirty: boolean) => void

/** Where the sections of the page say whether they hold what is not saved. */
export const UnsavedContext = createContext<NoteUnsaved>(() => undefined)

export function useUnsaved(section: string, isDirty: boolean): void {
  const note = use(UnsavedContext)
  useEffect(() => {
    note(section, isDirty)
    return () => note(section, false)
  }, [note, section, isDirty])
}
