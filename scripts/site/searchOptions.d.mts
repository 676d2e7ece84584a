import type MiniSearch from "minisearch"
import type { Options, SearchResult } from "minisearch"

export declare const searchOptions: Options
export declare function sectionsFor(index: MiniSearch, text: string): readonly SearchResult[]
