import { createContext } from 'react'

/** Where pictures in texts may be besides the site: origins, or `https:` for everywhere. The root sets it. */
export const PictureSources = createContext<readonly string[]>([])
