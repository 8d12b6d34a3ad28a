/// A program that uses a store until something goes wrong: it is killed, the disk is full, others use the same store,
/// it forks. The tests run it and look at what is left.
///
/// Every command writes lines to the standard output, each with one write(2): what was written there is true even if
/// the program is killed right after.
@main
struct StoreTorture {
    static func main() {
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        do {
            if arguments.take("--as-nobody") { ThisProcess.becomeNobody() }
            try arguments.takeStore()
            switch try arguments.text("command") {
            case "crash": try CrashCommand(&arguments).run()
            case "count": try CountCommand(&arguments).run()
            case "grow": try GrowCommand(&arguments).run()
            case "hold": try HoldCommand(&arguments).run()
            case "fill": try FillCommand(&arguments).run()
            case "first": try FirstSaveCommand(&arguments).run()
            case "cycle": try CycleCommand(&arguments).run()
            case "lock": try LockCommand(&arguments).run()
            case "saves": try SavesCommand(&arguments).run()
            case "watch": try WatchCommand(&arguments).run()
            case "costs": try CostsCommand(&arguments).run()
            case "fork": try ForkCommand(&arguments).run()
            case "open": try OpenCommand(&arguments).run()
            case "unique": try UniqueCommand(&arguments).run()
            case let command: throw Arguments.Problem(description: "there is no command \(command)")
            }
        } catch {
            Output.line("failed \(error)")
            ThisProcess.exit(1)
        }
    }
}
