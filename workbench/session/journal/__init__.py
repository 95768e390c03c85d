"""What a person did, line by line: undo list, history, project file and script are renderings of it."""
