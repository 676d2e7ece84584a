import { testFollowing } from "./followSeeds.js"

testFollowing("even")
