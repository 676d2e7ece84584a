import { testFollowing } from "./followSeeds.js"

testFollowing("odd")
