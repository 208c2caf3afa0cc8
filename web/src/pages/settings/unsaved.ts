import { createContext, use, useEffect } from 'react'

type NoteUnsaved = (section: string, isDirty: boolean) => void

/** Lets the sections of the page report unsaved changes. */
export const UnsavedContext = createContext<NoteUnsaved>(() => undefined)

export function useUnsaved(section: string, isDirty: boolean): void {
  const note = use(UnsavedContext)
  useEffect(() => {
    note(section, isDirty)
    return () => note(section, false)
  }, [note, section, isDirty])
}
