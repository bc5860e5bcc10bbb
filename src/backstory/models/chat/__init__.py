"""Language models: any provider of pydantic-ai, a model object, or an object of the port."""
