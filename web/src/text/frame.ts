import { catalogue } from './catalogue.ts'
import { frame } from './en/frame.ts'
import { ui } from './en/ui.ts'

export const frameCatalogue = catalogue(frame, { de: async () => (await import('./de/frame.ts')).frame })

export const uiCatalogue = catalogue(ui, { de: async () => (await import('./de/ui.ts')).ui })
